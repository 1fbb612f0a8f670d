import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A server in a process of its own that plays the demo and keeps it at `store`; resolves with its address. */
export async function startProcess(store: string): Promise<{ child: ChildProcess; url: string }> {
  const module = new URL('../src/serve.ts', import.meta.url).href
  const program = `
    const { serve } = await import('${module}')
    const { presetText } = await import('@windtunnel/scenario/presets/index')
    const { readScenario } = await import('@windtunnel/scenario/schema/decode')
    await serve({ scenario: readScenario(presetText('demo-chat')), port: 0, speed: 10, storeAt: ${JSON.stringify(store)} })`
  const options = ['--conditions=@windtunnel/source', '--input-type=module', '-e', program]
  const child = spawn(process.execPath, options, {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stdout.on('data', (piece) => {
      said += piece
      const found = /http:\S+/.exec(said)?.[0]
      if (found !== undefined) resolve(found)
    })
    child.on('exit', () => reject(new Error(`the server ended: ${said}`)))
  })
  return { child, url }
}
