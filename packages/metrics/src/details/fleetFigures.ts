import type { RunFigures } from '../summary/runSummary.ts'
import type { ReplicaProfile } from './replicaProfile.ts'
import type { EnergyDetails, MoneyDetails, RunDetails, Utilisation } from './runDetails.ts'
import type { StepTotals } from './stepTotals.ts'

type FleetFigures = Pick<RunDetails, 'perAccelerator' | 'utilisation' | 'money' | 'energy'>

/**
 * What the fleet gave for its size, over `seconds` of the window. Every replica that the run ever had counts for the whole
 * of it. Nothing for a fleet without replicas, or a window without length.
 */
export function fleetFigures(
  replicas: readonly ReplicaProfile[],
  steps: StepTotals,
  { throughput }: RunFigures,
  seconds: number,
): FleetFigures {
  if (replicas.length === 0 || seconds <= 0) return {}
  const accelerators = sumOver(replicas, (replica) => replica.accelerators)
  const money = moneyOf(replicas, throughput, seconds)
  const energy = energyOf(replicas, steps, throughput.outputTokensPerSecond * seconds, seconds)
  return {
    perAccelerator: {
      accelerators,
      requestsPerSecond: throughput.requestsPerSecond / accelerators,
      inputTokensPerSecond: throughput.inputTokensPerSecond / accelerators,
      outputTokensPerSecond: throughput.outputTokensPerSecond / accelerators,
    },
    utilisation: utilisationOf(replicas, steps, seconds),
    ...(money === undefined ? {} : { money }),
    ...(energy === undefined ? {} : { energy }),
  }
}

const sumOver = (replicas: readonly ReplicaProfile[], of: (replica: ReplicaProfile) => number): number =>
  replicas.reduce((sum, replica) => sum + of(replica), 0)

function utilisationOf(replicas: readonly ReplicaProfile[], steps: StepTotals, seconds: number): Utilisation {
  const busy = steps.busySeconds
  const inSteps =
    steps.flopsPossible > 0
      ? {
          modelFlopsInSteps: steps.flops / steps.flopsPossible,
          memoryBandwidthInSteps: steps.bytes / steps.bytesPossible,
        }
      : {}
  const peak = sumOver(replicas, ({ work, engines }) => (work?.peakFlopsPerSecond ?? 0) * engines)
  const bandwidth = sumOver(replicas, ({ work, engines }) => (work?.memoryBytesPerSecond ?? 0) * engines)
  const overall = replicas.every(({ work }) => work !== undefined)
    ? { modelFlops: steps.flops / (seconds * peak), memoryBandwidth: steps.bytes / (seconds * bandwidth) }
    : {}
  return {
    busyShare: busy / (seconds * sumOver(replicas, ({ engines }) => engines)),
    ...overall,
    ...inSteps,
    meanDecodeSequences: busy > 0 ? steps.sequenceSeconds / busy : 0,
    meanContextShare: busy > 0 ? steps.contextShareSeconds / busy : 0,
  }
}

/** Undefined when the price of a replica is not known. */
function moneyOf(
  replicas: readonly ReplicaProfile[],
  { inputTokensPerSecond, outputTokensPerSecond }: RunFigures['throughput'],
  seconds: number,
): MoneyDetails | undefined {
  let dollarsPerHour = 0
  for (const { accelerators, dollarsPerAcceleratorHour } of replicas) {
    if (dollarsPerAcceleratorHour === undefined) return undefined
    dollarsPerHour += accelerators * dollarsPerAcceleratorHour
  }
  const perMillion = (tokensPerSecond: number): number => (dollarsPerHour / 3600 / tokensPerSecond) * 1e6
  const tokens = inputTokensPerSecond + outputTokensPerSecond
  return {
    dollarsPerHour,
    dollars: (dollarsPerHour * seconds) / 3600,
    ...(outputTokensPerSecond > 0 ? { dollarsPerMillionOutputTokens: perMillion(outputTokensPerSecond) } : {}),
    ...(tokens > 0 ? { dollarsPerMillionTokens: perMillion(tokens) } : {}),
  }
}

/** Undefined when the power of an accelerator is not known. */
function energyOf(
  replicas: readonly ReplicaProfile[],
  { joules }: StepTotals,
  outputTokens: number,
  seconds: number,
): EnergyDetails | undefined {
  let watts = 0
  for (const { accelerators, wattsPerAccelerator } of replicas) {
    if (wattsPerAccelerator === undefined) return undefined
    watts += accelerators * wattsPerAccelerator
  }
  return {
    ratedJoules: watts * seconds,
    joulesInSteps: joules,
    ...(outputTokens > 0 ? { joulesInStepsPerOutputToken: joules / outputTokens } : {}),
  }
}
