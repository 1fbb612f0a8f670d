import { evaluate, numberOf } from '../evaluate.ts'
import { Curves } from './Curves.tsx'
import type { Picture } from './picture.ts'

const batches = Array.from({ length: 27 }, (_, step) => Math.round(2 ** (step / 2))).filter(
  (batch, index, all) => batch !== all[index - 1],
)

/** Experts that a batch wakes, over its tokens. */
export const activeOverBatch: Picture = ({ typed }) => {
  const experts = Number(typed['experts'])
  const at = (name: string) => (tokens: number) =>
    numberOf(evaluate('expectedActiveExperts', { ...typed, tokens: String(tokens) }), name)
  return (
    <Curves
      title="Active experts over batch"
      unit="expected, of even routing"
      xs={batches}
      xLabel="tokens in the step"
      yUnit={undefined}
      curves={[{ label: 'active experts', colour: 'var(--decode)', at: at('active') }]}
      lines={[
        ...(experts > 0
          ? [{ axis: 'y' as const, value: experts, label: `all ${experts}`, colour: 'var(--faint)' }]
          : []),
        { axis: 'x', value: Number(typed['tokens']), label: 'typed', colour: 'var(--faint)' },
      ]}
      caption="A small batch reads few experts; soon nearly all are read, and more tokens share each reading."
    />
  )
}

/** Reading against computing of one layer of experts, over the tokens of a step. */
export const expertLayerOverBatch: Picture = ({ typed }) => {
  const at = (name: string) => (tokens: number) =>
    numberOf(evaluate('expertLayer', { ...typed, tokens: String(tokens) }), name)
  return (
    <Curves
      title="Reading against computing"
      unit="one layer of experts over batch"
      xs={batches}
      xLabel="tokens in the step"
      yUnit="s"
      log
      curves={[
        { label: 'reading', colour: 'var(--decode)', at: at('memorySeconds') },
        { label: 'computing', colour: 'var(--prefill)', at: at('computeSeconds') },
      ]}
      lines={[{ axis: 'x', value: Number(typed['tokens']), label: 'typed', colour: 'var(--faint)' }]}
      caption="Where the curves cross, the layer turns from bound by memory to bound by computing."
    />
  )
}
