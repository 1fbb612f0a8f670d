import type { StepBackendName } from '@windtunnel/cost/step/backends/index'
import {
  choice,
  count,
  flag,
  group,
  list,
  type Option,
  optional,
  quantity,
  text,
  variant,
  withDefault,
} from './options.ts'

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
          'File of fitted parameters, as windtunnel calibrate writes it, in place of the registered ones; relative to the scenario. Or the text of such a file itself, which a browser can use too.',
        example: 'parameters.json',
      }),
    ),
    routingSkew,
  },
  { sentence: 'Measured kernels of the accelerator and overheads of the engine; says where it extrapolates.' },
)

const link = {
  alphaSeconds: quantity({
    sentence: 'Time that one message takes to start.',
    unit: 'seconds',
    minimum: 0,
    example: 8.22e-7,
  }),
  bytesPerSecond: quantity({
    sentence: 'Bandwidth of one accelerator, one way.',
    unit: 'bytes per second',
    above: 0,
    example: 450e9,
  }),
}

const alphaBeta = group(
  {
    near: group(link, { sentence: 'The link within a domain, such as a server or a rack.' }),
    far: optional(
      group(link, {
        sentence: 'The link between domains; without it a replica must stay within one.',
        example: { alphaSeconds: 3.76e-6, bytesPerSecond: 50e9 },
      }),
    ),
    domainCards: withDefault(
      count({ sentence: 'Accelerators that reach each other over the near link.', unit: 'accelerators', minimum: 1 }),
      8,
    ),
    allReduce: withDefault(
      choice(['ring', 'tree'], {
        sentence: 'How a domain adds up; a tree needs a power of two accelerators.',
      }),
      'ring',
    ),
    farAllReduceSeconds: optional(
      quantity({
        sentence: 'Measured time of one AllReduce across domains, in place of a ring of far links.',
        unit: 'seconds',
        minimum: 0,
        example: 3.274e-5,
      }),
    ),
    residentContext: withDefault(
      flag({
        sentence:
          'Whether sessions start with their context in the cache: each piece of a prompt then costs one decode step at its full context.',
      }),
      false,
    ),
  },
  {
    sentence:
      'Datasheet peaks, with collectives that take a time to start and a time by their bytes: (6-5) of the parallelism chapter.',
  },
)

const backends = {
  calibrated,
  roofline: group({ routingSkew }, { sentence: 'Datasheet peaks only: an upper bound on speed.' }),
  measured,
  linear,
  alphaBeta,
} satisfies Record<StepBackendName, Option>

/** Where the time of a step comes from. */
export const cost = withDefault(
  variant('backend', backends, { sentence: 'Where the time of one step of an engine comes from.' }),
  { backend: 'calibrated' },
)
