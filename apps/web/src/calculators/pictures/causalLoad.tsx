import { threeDigits, whole } from '../../format/quantity.ts'
import { numberOf, numbersOf } from '../evaluate.ts'
import { Bars } from './Bars.tsx'
import type { Picture } from './picture.ts'

/** The causal load of each rank of context parallelism against an even share. */
export const loadOverRanks: Picture = ({ results }) => {
  const loads = numbersOf(results, 'load')
  const mean = (numberOf(results, 'total') ?? 0) / Math.max(1, loads.length)
  const most = numberOf(results, 'max')
  return (
    <Bars
      title="Causal load by rank"
      unit="query-key pairs"
      rows={loads.map((load, rank) => ({
        label: `rank ${rank}`,
        chosen: load === most && load > mean,
        parts: [{ name: 'load', value: load, colour: 'var(--prefill)' }],
        note: `${whole(load)}, ${threeDigits(load / mean)} of an even share`,
      }))}
      show={whole}
      edge={{ value: mean, label: `even share, ${threeDigits(mean)}` }}
      caption="All ranks wait for the fullest one; pairing early blocks with late ones evens the load."
    />
  )
}
