import { csvParser, headerNames } from '../csv.ts'
import { defineFormat } from '../format.ts'
import { addTimedRow } from '../timedRow.ts'

const COLUMNS = ['request_type', 'arrival_timestamp', 'prompt_size', 'token_size'] as const
/** request_type of a generation request. */
const GENERATION = 2

export const splitwise = defineFormat({
  name: 'splitwise',
  sentence:
    'splitwise-sim: CSV of request_id, request_type (2 = generation), application_id, arrival_timestamp (s), batch_size, prompt_size, token_size.',
  options: {},
  timeField: 'arrival_timestamp',
  recognises: ({ firstLine }) => COLUMNS.every((name) => headerNames(firstLine).includes(name)),
  open: () =>
    csvParser('splitwise', COLUMNS, (header) => {
      const [type, time, input, output] = COLUMNS.map((name) => header.find(name)!) as [number, number, number, number]
      return (cells, rows) => {
        if (cells.whole(type) !== GENERATION) cells.fail(type, `${GENERATION}, a generation request`)
        addTimedRow(rows, cells, { time, input, output })
      }
    }),
})
