import { axisTick } from '../axisTick.ts'
import { evaluate, numberOf } from '../evaluate.ts'
import { Curves } from './Curves.tsx'
import type { Picture } from './picture.ts'

const bytes = axisTick('B')

/** Ring against tree over the size of the vector, and where they cross. */
export const ringAgainstTree: Picture = ({ typed }) => {
  const crossing = numberOf(evaluate('ringTreeCrossover', typed), 'bytes')
  // Without a start-up time a ring always wins, and they never cross.
  const centre = crossing !== undefined && crossing > 0 ? crossing : 1e6
  const xs = Array.from({ length: 49 }, (_, step) => centre * 10 ** (step / 8 - 3))
  const time = (name: string) => (size: number) =>
    numberOf(evaluate(name, { ...typed, bytes: String(size) }), 'timeSeconds')
  const at = Number(typed['bytes'] ?? '')
  return (
    <Curves
      title="Ring against tree"
      unit="time of one AllReduce over its size"
      xs={xs}
      xLabel="bytes"
      yUnit="s"
      log
      curves={[
        { label: 'ring', colour: 'var(--decode)', at: time('ringAllreduce') },
        { label: 'tree', colour: 'var(--prefill)', at: time('treeAllreduce') },
      ]}
      lines={[
        ...(crossing === undefined || crossing <= 0
          ? []
          : [{ axis: 'x' as const, value: crossing, label: `equal at ${bytes(crossing)}B` }]),
        ...(at > 0 ? [{ axis: 'x' as const, value: at, label: 'typed', colour: 'var(--faint)' }] : []),
      ]}
      caption="A tree has fewer rounds and wins for small vectors; a ring sends less and wins for large ones."
    />
  )
}
