import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DraftFile } from '../src/files/draftFile.ts'
import { refuseOverwrite, writeWhole } from '../src/files/outputFile.ts'
import { commandFolder } from './inFolder.ts'

const { folder, write } = commandFolder()
const at = (name: string): string => join(folder, name)
const there = (): string[] => readdirSync(folder).sort()

describe('a file that is written while a run goes on', () => {
  it('has its name only when it is whole, and leaves nothing when it is dropped', () => {
    const file = new DraftFile(at('kept'))
    file.write('a'.repeat(100_000))
    expect(there()).toEqual([`.kept.${process.pid}.part`])
    file.writeBytes(new Uint8Array([98]))
    file.write('c')
    file.keep()
    expect(there()).toEqual(['kept'])
    expect(readFileSync(at('kept'), 'utf8')).toBe(`${'a'.repeat(100_000)}bc`)
    const dropped = new DraftFile(at('dropped'))
    dropped.write('x')
    dropped.drop()
    dropped.drop()
    expect(there()).toEqual(['kept'])
  })

  it('replaces what a symbolic link points at, and keeps the link', async () => {
    write('real', 'old')
    symlinkSync(at('real'), at('link'))
    await writeWhole(at('link'), ['new'])
    expect(lstatSync(at('link')).isSymbolicLink()).toBe(true)
    expect(readFileSync(at('real'), 'utf8')).toBe('new')
  })

  it('writes a device as it is, without asking for --force, and never replaces it', async () => {
    const before = lstatSync('/dev/null')
    refuseOverwrite(['/dev/null'], false)
    await writeWhole('/dev/null', ['gone'])
    expect(lstatSync('/dev/null').isCharacterDevice()).toBe(before.isCharacterDevice())
    expect(readdirSync('/dev').filter((name) => name.endsWith('.part'))).toEqual([])
  })

  it('refuses folders, with --force too', () => {
    mkdirSync(at('folder'))
    expect(() => refuseOverwrite([at('folder')], true)).toThrow(/it is a folder; name a file in it/)
    expect(() => refuseOverwrite([at('kept')], false)).toThrow(/exists already/)
    expect(() => refuseOverwrite([at('kept'), at('absent')], true)).not.toThrow()
  })

  it('is refused, with exit code 2 and at once, where nothing can be written, and nothing is left there', () => {
    write('file', '')
    for (const bad of ['/proc/x', '/proc/x/y', at('file/below'), at(`${'n'.repeat(300)}`)])
      expect(() => refuseOverwrite([bad], true)).toThrow(expect.objectContaining({ exitCode: 2 }))
    expect(() => new DraftFile('/proc/x/y')).toThrow('cannot write /proc/x/y: nothing can be made there')
    const before = there()
    refuseOverwrite([at('new/folders/file')], false)
    expect(there()).toEqual(before)
  })

  it('makes the folders that it needs', async () => {
    await writeWhole(at('new/folders/file'), ['text'])
    expect(readFileSync(at('new/folders/file'), 'utf8')).toBe('text')
  })

  it('is dropped when what it is made of fails', async () => {
    async function* failing() {
      yield 'half'
      throw new Error('broken')
    }
    await expect(writeWhole(at('half'), failing())).rejects.toThrow('broken')
    expect(there()).not.toContain('half')
    expect(there().filter((name) => name.endsWith('.part'))).toEqual([])
  })
})
