import { copyTime, type Time, zeroTime } from '@windtunnel/des'
import type { TraceRow } from '@windtunnel/workload/traces/row'
import { traceWriters } from '@windtunnel/workload/traces/writers'
import { CliFault } from '../fault.ts'
import { refuseOverwrite, writeWhole } from '../files/outputFile.ts'
import { number } from '../output/format.ts'
import { print } from '../output/print.ts'
import type { OpenTrace } from './traceRows.ts'
import type { WriteChoices } from './writeFlags.ts'

/** Writes rows as they come; the file has its name only when it is whole. Says how many rows were written and left out. */
export async function writeTrace(
  trace: OpenTrace,
  rows: AsyncIterable<TraceRow>,
  choices: WriteChoices,
): Promise<void> {
  refuseOverwrite([choices.out], choices.force)
  const written = { rows: 0 }
  await writeWhole(choices.out, lines(rows, choices.to, written))
  const { badRows, zeroRows } = trace.counts
  const left = [
    badRows > 0 ? `${number(badRows)} bad rows skipped` : '',
    zeroRows > 0 ? `${number(zeroRows)} rows of 0 tokens left out` : '',
  ].filter((text) => text !== '')
  await print([`wrote ${number(written.rows)} rows to ${choices.out} (${choices.to})`, ...left].join('; '))
}

async function* lines(
  rows: AsyncIterable<TraceRow>,
  to: WriteChoices['to'],
  written: { rows: number },
): AsyncGenerator<string> {
  const writer = traceWriters[to]
  const origin: Time = zeroTime()
  let text = writer.header === undefined ? '' : `${writer.header}\n`
  let anchored = false
  for await (const row of rows) {
    if (row.hasTime && !anchored) {
      copyTime(origin, row.time)
      anchored = true
    }
    text += `${writer.line(row, origin)}\n`
    written.rows += 1
    if (text.length > 65_536) {
      yield text
      text = ''
    }
  }
  if (written.rows === 0) throw new CliFault('there are no rows to write')
  yield text
}
