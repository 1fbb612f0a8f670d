/** Writes text to stdout, and waits until it is taken. */
export const print = (text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(text.endsWith('\n') ? text : `${text}\n`, (error) => {
      if (error === undefined || error === null) resolve()
      else reject(error)
    })
  })

/** Writes exactly one JSON document to stdout. */
export const printJson = (value: unknown): Promise<void> => print(JSON.stringify(value, undefined, 2))

/** A remark that is no part of the answer: to stderr. */
export const note = (text: string): void => {
  process.stderr.write(`${text}\n`)
}
