import type { InstanceFailure } from '@windtunnel/cost/deployment/timeline'
import { choice, count, group, seconds, type Values, withDefault } from './field.ts'

const failureFields = {
  at: seconds('When a card fails.'),
  stall: seconds('How long its instance is down.'),
  instance: withDefault(count('Which instance, from 0.'), 0),
  semantics: withDefault(
    choice(['redo', 'pause'], 'redo: its sessions start over; pause: they go on where they were.'),
    'redo',
  ),
}

/** A card that fails, as an input. */
export const failure = group(failureFields, 'A card that fails.')

/** The failure as the cost functions take it. */
export const instanceFailure = ({ at, stall, instance, semantics }: Values<typeof failureFields>): InstanceFailure => ({
  atSeconds: at,
  stallSeconds: stall,
  instance,
  semantics,
})
