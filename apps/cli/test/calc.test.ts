import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandFolder } from './inFolder.ts'

const { folder, windtunnel } = commandFolder()
const calc = (...words: string[]) => windtunnel('calc', ...words)

const caseFile = (expected: object): string => {
  const path = join(folder, 'cases.json')
  writeFileSync(path, JSON.stringify([{ id: 'mesh', calc: 'full_mesh', inputs: { n: 3 }, expected: [expected] }]))
  return path
}

describe('windtunnel calc', () => {
  it('lists every calculator by section', async () => {
    const { status, stdout } = await calc()
    expect(status).toBe(0)
    for (const word of ['Tensor parallel step', 'tp-step-time', 'deployment-planner']) expect(stdout).toContain(word)
  })

  it('explains one with --help: formula, validity, source and every input', async () => {
    const { status, stdout } = await calc('tp_step_time', '--help')
    expect(status).toBe(0)
    for (const word of ['(6-5)', 'Valid:', 'Source:', 'allreduce.alpha', 'a number of B/s, above 0', 'required'])
      expect(stdout).toContain(word)
  })

  it('computes, and shows the parts the result is made of', async () => {
    const { status, stdout } = await calc('tp-step-time', 'tp=8', 'context=131064')
    expect(status).toBe(0)
    for (const word of ['stepSeconds', '0.005146963465339967', '5.147 ms', 'localSeconds', 'commSeconds'])
      expect(stdout).toContain(word)
  })

  it('prints one JSON document, under the names of case files too', async () => {
    const { stdout } = await calc('tp-step-time', 'tp=8', 'context=131064', '--json')
    const found = JSON.parse(stdout)
    expect(found).toMatchObject({ calculator: 'tpStepTime', inputs: { tp: 8, bandwidth: 3.35e12 } })
    expect(found.caseResults.step_s).toBe(found.results.stepSeconds)
  })

  it('refuses a bad input with its field, unit and bounds', async () => {
    const { status, stderr } = await calc('tp-step-time', 'tp=8', 'context=1', 'bandwidth=0')
    expect(status).toBe(2)
    expect(stderr).toContain('tp-step-time: bandwidth: expected a number of B/s, above 0; found 0')
  })

  it('passes a file of cases with exit code 0', async () => {
    expect(await calc('--cases', caseFile({ name: 'links', value: 3 }))).toEqual({
      status: 0,
      stdout: '1 passed, 0 failed\n',
      stderr: '',
    })
  })

  it('fails one that differs, with a line for it and exit code 1', async () => {
    expect(await calc('--cases', caseFile({ name: 'links', value: 4 }))).toEqual({
      status: 1,
      stdout: 'mesh links 4 3\n0 passed, 1 failed\n',
      stderr: '',
    })
  })

  it('plans a deployment', async () => {
    const { stdout } = await calc('deployment-planner', 'preset=bench', 'findThresholds=no')
    for (const word of ['dp4 tp2', 'needs 102.03 GB on a card that has 80.00 GB', '119.1 ms'])
      expect(stdout).toContain(word)
  })
})
