import type { RunFigures } from '../summary/runSummary.ts'
import type { ReplicaProfile } from './replicaProfile.ts'
import type { EnergyDetails, MoneyDetails, RunDetails, Utilisation } from './runDetails.ts'
import type { StepSums } from './stepTotals.ts'

type FleetFigures = Pick<RunDetails, 'perAccelerator' | 'utilisation' | 'money' | 'energy'>

/** A replica that the run had, and the share of the window in which it was there. */
export interface ReplicaLife {
  readonly profile: ReplicaProfile
  readonly share: number
}

/**
 * What the fleet gave for its size, over `seconds` of the window. A replica counts while it is there: from the command
 * that adds it, its start-up and its outages included, until it is down for good. Nothing for a fleet without replicas, or
 * a window without length.
 */
export function fleetFigures(
  lives: readonly ReplicaLife[],
  steps: StepSums,
  { throughput }: RunFigures,
  seconds: number,
): FleetFigures {
  const accelerators = sumOver(lives, ({ accelerators }) => accelerators)
  if (accelerators === 0 || seconds <= 0) return {}
  const money = moneyOf(lives, throughput, seconds)
  const energy = energyOf(lives, steps, throughput.outputTokensPerSecond * seconds, seconds)
  return {
    perAccelerator: {
      accelerators,
      requestsPerSecond: throughput.requestsPerSecond / accelerators,
      inputTokensPerSecond: throughput.inputTokensPerSecond / accelerators,
      outputTokensPerSecond: throughput.outputTokensPerSecond / accelerators,
    },
    utilisation: utilisationOf(lives, steps, seconds),
    ...(money === undefined ? {} : { money }),
    ...(energy === undefined ? {} : { energy }),
  }
}

const sumOver = (lives: readonly ReplicaLife[], of: (profile: ReplicaProfile) => number): number =>
  lives.reduce((sum, { profile, share }) => sum + of(profile) * share, 0)

function utilisationOf(lives: readonly ReplicaLife[], steps: StepSums, seconds: number): Utilisation {
  const busy = steps.busySeconds
  const inSteps =
    steps.flopsPossible > 0
      ? {
          modelFlopsInSteps: steps.flops / steps.flopsPossible,
          memoryBandwidthInSteps: steps.bytes / steps.bytesPossible,
        }
      : {}
  const peak = sumOver(lives, ({ work, engines }) => (work?.peakFlopsPerSecond ?? 0) * engines)
  const bandwidth = sumOver(lives, ({ work, engines }) => (work?.memoryBytesPerSecond ?? 0) * engines)
  const overall = lives.every(({ profile }) => profile.work !== undefined)
    ? { modelFlops: steps.flops / (seconds * peak), memoryBandwidth: steps.bytes / (seconds * bandwidth) }
    : {}
  return {
    busyShare: busy / (seconds * sumOver(lives, ({ engines }) => engines)),
    ...overall,
    ...inSteps,
    meanDecodeSequences: busy > 0 ? steps.sequenceSeconds / busy : 0,
    meanContextShare: busy > 0 ? steps.contextShareSeconds / busy : 0,
  }
}

/** Undefined when the price of a replica is not known. */
function moneyOf(
  lives: readonly ReplicaLife[],
  { inputTokensPerSecond, outputTokensPerSecond }: RunFigures['throughput'],
  seconds: number,
): MoneyDetails | undefined {
  if (lives.some(({ profile }) => profile.dollarsPerAcceleratorHour === undefined)) return undefined
  const dollarsPerHour = sumOver(lives, (one) => one.accelerators * (one.dollarsPerAcceleratorHour ?? 0))
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
  lives: readonly ReplicaLife[],
  { joules }: StepSums,
  outputTokens: number,
  seconds: number,
): EnergyDetails | undefined {
  if (lives.some(({ profile }) => profile.wattsPerAccelerator === undefined)) return undefined
  const watts = sumOver(lives, (one) => one.accelerators * (one.wattsPerAccelerator ?? 0))
  return {
    ratedJoules: watts * seconds,
    joulesInSteps: joules,
    ...(outputTokens > 0 ? { joulesInStepsPerOutputToken: joules / outputTokens } : {}),
  }
}
