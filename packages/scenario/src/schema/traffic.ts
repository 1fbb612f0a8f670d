import { arrivals } from '@windtunnel/workload/arrivals/index'
import { lengths } from '@windtunnel/workload/lengths/index'
import { clientOptions } from '@windtunnel/workload/sources/synthetic'
import { structures } from '@windtunnel/workload/structures/index'
import { count, group, list, optional, text, withDefault } from './options.ts'
import { PartOptions } from './parts.ts'
import { traceOption } from './trace.ts'

const parts = new PartOptions({ arrivals, lengths, structures })

const arrivalsOption = parts.part('arrivals', { sentence: 'When new work begins.', example: 'poisson' })
const structure = parts.part('structures', { sentence: 'What a piece of work is made of, and how long its texts are.' })

const clients = withDefault(
  parts.group(clientOptions, { sentence: 'How clients behave: limits, patience, network.' }),
  {},
)

const stream = group(
  {
    name: optional(
      text({
        sentence:
          'Name of the stream, for reports and for the live command `mix`; without it the name of its service class where no other stream has that, else `stream` and its number.',
        example: 'chat',
      }),
    ),
    arrivals: arrivalsOption,
    structure,
    tenant: withDefault(count({ sentence: 'Number of the tenant who sends it.', minimum: 0 }), 0),
    serviceClass: optional(
      text({
        sentence: 'Service class of its requests: a name from objectives; without it the first.',
        example: 'default',
      }),
    ),
    clients,
  },
  { sentence: 'One kind of traffic.' },
)

/** Who asks for what, and when: one stream, several, or a trace. */
export const traffic = group(
  {
    arrivals: optional(arrivalsOption),
    structure: optional(structure),
    clients,
    streams: optional(
      list(stream, {
        sentence: 'Several kinds of traffic side by side, in place of arrivals and structure.',
        minimumItems: 1,
        example: [],
      }),
    ),
    trace: optional(traceOption(parts)),
  },
  { sentence: 'Who asks for what, and when: arrivals with a structure, several streams of them, or a recorded trace.' },
)
