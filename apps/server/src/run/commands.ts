import type { Command } from '@windtunnel/orchestrator'
import type { ClientMessage, RunEvent } from '@windtunnel/protocol'
import type { ReplicaNames } from './replicaNames.ts'

export type SteeringMessage = Extract<
  ClientMessage,
  { type: 'rate' | 'router' | 'scheduler' | 'addReplica' | 'removeReplica' | 'killReplica' }
>

/** A viewer's message as a command of the simulation. */
export function commandOf(message: SteeringMessage): Command {
  switch (message.type) {
    case 'rate':
      return { kind: 'rate', requestsPerSecond: message.requestsPerSecond }
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

export interface Before {
  rate: number | undefined
  router: string
  scheduler: string
}

/** What the event of a command says. */
export function eventOf(
  message: SteeringMessage,
  before: Before,
  names: ReplicaNames,
): Pick<RunEvent, 'kind' | 'text'> {
  switch (message.type) {
    case 'rate': {
      const from = before.rate === undefined ? '' : `${before.rate} to `
      return { kind: 'rate', text: `rate ${from}${message.requestsPerSecond} requests/s` }
    }
    case 'router':
      return { kind: 'router', text: `router ${before.router} to ${message.name}` }
    case 'scheduler':
      return { kind: 'scheduler', text: `scheduler ${before.scheduler} to ${message.name}` }
    case 'addReplica':
      return { kind: 'replicaAdded', text: `replica added to ${message.pool}` }
    case 'removeReplica':
      return { kind: 'replicaRemoved', text: `${names.known(message.replica)} drains` }
    case 'killReplica':
      return { kind: 'replicaKilled', text: `${names.known(message.replica)} lost` }
  }
}
