import type { Command } from '@windtunnel/orchestrator'
import type { ClientMessage, RunEvent } from '@windtunnel/protocol'
import type { MixChange } from '@windtunnel/workload'
import type { ReplicaNames } from './replicaNames.ts'

export type SteeringMessage = Extract<
  ClientMessage,
  { type: 'rate' | 'mix' | 'router' | 'scheduler' | 'addReplica' | 'removeReplica' | 'killReplica' }
>

/** A viewer's message as a command of the simulation. */
export function commandOf(message: SteeringMessage): Command {
  switch (message.type) {
    case 'rate':
      return { kind: 'rate', requestsPerSecond: message.requestsPerSecond }
    case 'mix': {
      const { weights, promptScale, outputScale } = message
      return {
        kind: 'mix',
        ...(weights === undefined ? {} : { weights }),
        ...(promptScale === undefined ? {} : { promptScale }),
        ...(outputScale === undefined ? {} : { outputScale }),
      }
    }
    case 'router':
      return { kind: 'router', name: message.name }
    case 'scheduler':
      return { kind: 'scheduler', name: message.name }
    case 'addReplica':
      return { kind: 'addReplica', pool: message.pool }
    case 'removeReplica':
      return { kind: 'removeReplica', replica: message.replica }
    case 'killReplica':
      return { kind: 'killReplica', replica: message.replica }
  }
}

/** What steering has set so far. */
export interface Steered {
  rate: number | undefined
  /** What the rate counts. */
  rateCounts: 'requests' | 'sessions'
  router: string
  scheduler: string
}

/** What the event of a command says, with what held before it. */
export function eventOf(command: Command, before: Steered, names: ReplicaNames): Pick<RunEvent, 'kind' | 'text'> {
  switch (command.kind) {
    case 'rate': {
      const from = before.rate === undefined ? '' : `${before.rate} to `
      return { kind: 'rate', text: `rate ${from}${command.requestsPerSecond} ${before.rateCounts}/s` }
    }
    case 'mix':
      return { kind: 'mix', text: mixText(command) }
    case 'router':
      return { kind: 'router', text: `router ${before.router} to ${command.name}` }
    case 'scheduler':
      return { kind: 'scheduler', text: `scheduler ${before.scheduler} to ${command.name}` }
    case 'addReplica':
      return { kind: 'replicaAdded', text: `replica added to ${command.pool}` }
    case 'removeReplica':
      return { kind: 'replicaRemoved', text: `${names.known(command.replica)} drains` }
    case 'killReplica':
      return { kind: 'replicaKilled', text: `${names.known(command.replica)} lost` }
  }
}

const percent = (share: number): string => `${Number((share * 100).toPrecision(2))} %`

/** Such as "mix chat 70 %, bulk 30 %, prompts x2". */
function mixText({ weights = {}, promptScale, outputScale }: MixChange): string {
  const sum = Object.values(weights).reduce((before, weight) => before + weight, 0)
  const parts = [
    ...Object.entries(weights).map(([name, weight]) => `${name} ${percent(weight / sum)}`),
    ...(promptScale === undefined ? [] : [`prompts x${promptScale}`]),
    ...(outputScale === undefined ? [] : [`outputs x${outputScale}`]),
  ]
  return `mix ${parts.length === 0 ? 'as it was' : parts.join(', ')}`
}

/** Notes what a command has set. */
export function note(command: Command, steered: Steered): void {
  if (command.kind === 'rate') steered.rate = command.requestsPerSecond
  if (command.kind === 'router') steered.router = command.name
  if (command.kind === 'scheduler') steered.scheduler = command.name
}
