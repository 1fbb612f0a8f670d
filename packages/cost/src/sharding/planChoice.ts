import { showSteps } from './collectiveStep.ts'
import type { MatmulPlan } from './matmulPlan.ts'

/** Orders plans by time, or by FLOPs of a device and then bytes where there are no times. */
export function cheaperFirst(a: MatmulPlan, b: MatmulPlan): number {
  const byTime = a.seconds === undefined || b.seconds === undefined ? 0 : a.seconds - b.seconds
  const byCollective = (a.collectiveSeconds ?? 0) - (b.collectiveSeconds ?? 0)
  return byTime || byCollective || a.flopsPerDevice - b.flopsPerDevice || a.collectiveBytes - b.collectiveBytes
}

/** Whether a plan gathers an operand over an axis only to slice the result over it: never worth it. */
function gathersToSlice(plan: MatmulPlan, result: string): boolean {
  const gathered = plan.steps.filter((step) => step.kind === 'all-gather' && step.array !== result)
  const sliced = plan.steps.filter((step) => step.kind === 'slice' && step.array === result)
  return sliced.some(({ axes }) => axes.some((axis) => gathered.some((step) => step.axes.includes(axis))))
}

/** Leaves out plans that do what another does with the same collectives and fewer FLOPs, or that repeat one. */
export function worthwhile(all: readonly MatmulPlan[], result: string): MatmulPlan[] {
  const moves = (plan: MatmulPlan) => showSteps(plan.steps.filter((step) => step.kind !== 'slice'))
  const lean = all.filter((plan) => !gathersToSlice(plan, result))
  const plans = lean.length > 0 ? lean : all
  return plans.filter((plan, index) =>
    plans.every((other, place) => {
      if (other === plan || moves(other) !== moves(plan) || other.collectiveBytes > plan.collectiveBytes) return true
      const same = other.flopsPerDevice === plan.flopsPerDevice && other.collectiveBytes === plan.collectiveBytes
      return same ? place > index : other.flopsPerDevice > plan.flopsPerDevice
    }),
  )
}
