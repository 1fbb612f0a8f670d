import { group, quantity, withDefault } from './options.ts'

/** The API server in front of an engine. */
export const frontEnd = withDefault(
  group(
    {
      latencySeconds: withDefault(
        quantity({
          sentence: 'Time of a request with the API server before it reaches the engine.',
          unit: 'seconds',
          minimum: 0,
        }),
        0,
      ),
      secondsPerPromptToken: withDefault(
        quantity({
          sentence: 'Time to tokenise one prompt token, on one thread, one request after the other.',
          unit: 'seconds',
          minimum: 0,
        }),
        0,
      ),
    },
    { sentence: 'The API server in front of the engine of each replica.' },
  ),
  {},
)
