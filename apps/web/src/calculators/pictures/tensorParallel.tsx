import { evaluate, numberOf } from '../evaluate.ts'
import { Curves } from './Curves.tsx'
import type { Picture } from './picture.ts'

const degrees = [1, 2, 4, 8, 16, 32, 64, 128]

/** A decode step over the degree of tensor parallelism, split into reading and reducing. */
export const stepOverTp: Picture = ({ typed }) => {
  const part = (name: string) => (tp: number) => numberOf(evaluate('tpStepTime', { ...typed, tp: String(tp) }), name)
  const found = degrees.flatMap((tp) => {
    const seconds = part('stepSeconds')(tp)
    return seconds === undefined ? [] : [{ tp, seconds }]
  })
  const best = found.reduce<(typeof found)[number] | undefined>(
    (least, one) => (least === undefined || one.seconds < least.seconds ? one : least),
    undefined,
  )
  return (
    <Curves
      title="A step over tensor parallelism"
      unit="with its parts"
      xs={degrees}
      xLabel="tp"
      yUnit="s"
      stacked
      curves={[
        { label: 'reading weights and KV', colour: 'var(--decode)', at: part('localSeconds') },
        { label: 'AllReduces', colour: 'var(--transfer)', at: part('commSeconds') },
      ]}
      lines={[{ axis: 'x', value: Number(typed['tp']), label: 'typed', colour: 'var(--faint)' }]}
      caption={
        best === undefined
          ? undefined
          : `Reading falls with the cards, reducing does not: of these degrees ${best.tp} is the quickest.`
      }
    />
  )
}
