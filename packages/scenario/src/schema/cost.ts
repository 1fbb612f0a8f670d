import type { StepBackendName } from '@windtunnel/cost/step/backends/index'
import { count, flag, group, list, type Option, optional, quantity, text, variant, withDefault } from './options.ts'

const routingSkew = withDefault(
  quantity({
    sentence:
      'How unevenly tokens spread over experts: 0 evenly, 1 by a power law; of use in mixture-of-experts models only.',
    unit: 'share',
    minimum: 0,
    maximum: 1,
  }),
  1,
)

const seconds = (sentence: string) => quantity({ sentence, unit: 'seconds', minimum: 0, example: 0 })
const tokens = (sentence: string) => quantity({ sentence, unit: 'tokens', minimum: 0 })

const linear = group(
  {
    secondsPerStep: quantity({ sentence: 'Time of any step.', unit: 'seconds', above: 0, example: 0.005 }),
    secondsPerPrefillToken: seconds('Time for each prompt token in the step.'),
    secondsPerDecodeSequence: seconds('Time for each decoding sequence in the step.'),
    secondsPerContextToken: withDefault(
      seconds('Time for each token of context that decoding sequences attend to.'),
      0,
    ),
  },
  { sentence: 'A sum of four terms, for people who have only that.' },
)

const measured = group(
  {
    decode: list(
      group(
        {
          sequences: count({ sentence: 'Sequences that decoded.', unit: 'sequences', minimum: 1 }),
          contextTokens: tokens('Sum of the contexts of those sequences.'),
          seconds: quantity({ sentence: 'Time of the step.', unit: 'seconds', above: 0 }),
        },
        { sentence: 'One measured decode step.' },
      ),
      { sentence: 'Measured steps that only decode.', minimumItems: 1 },
    ),
    prefill: list(
      group(
        {
          tokens: count({ sentence: 'Prompt tokens computed.', unit: 'tokens', minimum: 1 }),
          contextTokens: tokens('Tokens computed before this piece of the prompt.'),
          seconds: quantity({ sentence: 'Time of the step.', unit: 'seconds', above: 0 }),
        },
        { sentence: 'One measured step with one prompt, or a piece of one, alone.' },
      ),
      { sentence: 'Measured steps that only prefill.', minimumItems: 1 },
    ),
  },
  { sentence: 'Interpolation in your own table of step times for this model, layout and accelerator.' },
)

const calibrated = group(
  {
    engineOverheads: withDefault(
      flag({
        sentence:
          "Whether the engine's own time is added to its kernels: host, launches, sampling, front end; false shows a perfect host.",
      }),
      true,
    ),
    filteredSampling: optional(
      flag({
        sentence:
          "Whether tokens are sampled through top-p or top-k; without it as the model's generation config asks.",
        example: false,
      }),
    ),
    parameters: optional(
      text({
        sentence:
          'File of fitted parameters, as windtunnel calibrate writes it, in place of the registered ones; relative to the scenario.',
        example: 'parameters.json',
      }),
    ),
    routingSkew,
  },
  { sentence: 'Measured kernels of the accelerator and overheads of the engine; says where it extrapolates.' },
)

const backends = {
  calibrated,
  roofline: group({ routingSkew }, { sentence: 'Datasheet peaks only: an upper bound on speed.' }),
  measured,
  linear,
} satisfies Record<StepBackendName, Option>

/** Where the time of a step comes from. */
export const cost = withDefault(
  variant('backend', backends, { sentence: 'Where the time of one step of an engine comes from.' }),
  { backend: 'calibrated' },
)
