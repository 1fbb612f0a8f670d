import { group, optional, quantity, withDefault } from './options.ts'

/** The API server in front of an engine. */
export const frontEnd = withDefault(
  group(
    {
      latencySeconds: optional(
        quantity({
          sentence:
            'Time of a request with the API server before it reaches the engine; without it what the calibrated cost knows of the engine, else 0.',
          unit: 'seconds',
          minimum: 0,
          example: 0.01,
        }),
      ),
      secondsPerPromptToken: optional(
        quantity({
          sentence:
            'Time to tokenise one prompt token, on one thread, one request after the other; without it what the calibrated cost knows of the engine, else 0.',
          unit: 'seconds',
          minimum: 0,
          example: 0.000001,
        }),
      ),
    },
    { sentence: 'The API server in front of the engine of each replica.' },
  ),
  {},
)
