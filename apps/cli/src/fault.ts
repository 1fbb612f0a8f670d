/** A failure with the words for the user and the exit code: 1 failed, 2 bad input. An empty message says nothing more. */
export class CliFault extends Error {
  readonly _tag = 'CliFault'
  readonly exitCode: number

  constructor(message: string, exitCode = 2) {
    super(message)
    this.name = 'CliFault'
    this.exitCode = exitCode
  }

  /** Any error as a fault. Tagged errors are written for users; anything else is a defect of ours. */
  static from(error: unknown): CliFault {
    if (error instanceof CliFault) return error
    if (error instanceof Error && '_tag' in error) return new CliFault(error.message)
    const message = error instanceof Error ? error.message : String(error)
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')
      return new CliFault(`the build is not whole or out of date (${message.split('\n')[0]}). Run: npm run build`, 1)
    if (error instanceof Error && 'syscall' in error && 'path' in error) return new CliFault(fileSentence(error))
    return new CliFault(
      `this should not have happened: ${message}. Set WINDTUNNEL_DEBUG=1 to see where, and please report it.`,
      1,
    )
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  ENOTDIR: 'it is no folder',
  EACCES: 'permission denied',
}

/** The words for an error of the file system. */
export function fileSentence(error: Error, path = String((error as NodeJS.ErrnoException).path)): string {
  return `cannot read ${path}: ${reasons[(error as NodeJS.ErrnoException).code ?? ''] ?? error.message}`
}

const isControl = (code: number): boolean =>
  (code < 0x20 && code !== 0x09 && code !== 0x0a) || (code >= 0x7f && code < 0xa0)

/** Text as a terminal can show it: what was found in a file may hold bytes that would steer the terminal. */
export const printable = (text: string): string =>
  Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0
    return isControl(code) ? `\\x${code.toString(16).padStart(2, '0')}` : character
  }).join('')
