import { describe, expect, it } from 'vitest'
import { jsonLines, leastLevel } from '../../src/observe/log.ts'

describe('the log', () => {
  it('is JSON lines with level, message, run and viewer, without what lies below the level asked for', () => {
    const lines: string[] = []
    const log = jsonLines('info', (line) => lines.push(line))
    log('info', 'command rate', { run: 'demo', viewer: 3 })
    log('debug', 'request answered')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(
      /^\{"time":"\d{4}-\d\d-\d\dT[^"]+Z","level":"info","message":"command rate","run":"demo","viewer":3\}\n$/,
    )
  })

  it('is quiet on a terminal but for warnings, says what happens elsewhere, and takes a level by name', () => {
    expect(leastLevel({}, true)).toBe('warn')
    expect(leastLevel({}, false)).toBe('info')
    expect(leastLevel({ WINDTUNNEL_LOG: 'debug' }, true)).toBe('debug')
    expect(() => leastLevel({ WINDTUNNEL_LOG: 'loud' }, true)).toThrow('debug, info, warn, error, none; found "loud"')
  })
})
