import { mathSeconds } from '@windtunnel/cost'
import { testChapter } from './bookCases.ts'

testChapter(1, {
  'ch01-time-1e12-flops': (i) => ({
    t_h100: mathSeconds(i.number('flops'), i.number('peak_h100')),
    t_v6e: mathSeconds(i.number('flops'), i.number('peak_v6e')),
  }),
})
