import * as Effect from 'effect/Effect'
import { CliFault } from './fault.ts'

/** A command's handler from an async function; what it throws becomes a fault with words for the user. */
export const action =
  <Input>(run: (input: Input) => Promise<void>) =>
  (input: Input): Effect.Effect<void, CliFault> =>
    Effect.tryPromise({
      try: () => run(input),
      catch: (error) => {
        const fault = CliFault.from(error)
        if (error instanceof Error && error.stack !== undefined) fault.stack = error.stack
        return fault
      },
    })
