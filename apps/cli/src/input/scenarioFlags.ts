import * as Argument from 'effect/cli/Argument'
import * as Flag from 'effect/cli/Flag'

/** A scenario as every verb that takes one names it. */
export const scenarioArgument = Argument.String('scenario').pipe(
  Argument.withDescription('A scenario file (YAML or JSON), or the name of a preset (windtunnel list presets).'),
)

/** What a person lays over a scenario without editing it. */
export const scenarioFlags = {
  seed: Flag.Int('seed').pipe(Flag.withDescription('Seed of everything that is drawn.'), Flag.optional),
  duration: Flag.Finite('duration').pipe(
    Flag.withMetavar('SECONDS'),
    Flag.withDescription('Virtual time at which the run stops.'),
    Flag.optional,
  ),
  trace: Flag.String('trace').pipe(
    Flag.withMetavar('FILE'),
    Flag.withDescription('Trace to replay as the traffic; the format is recognised from its content.'),
    Flag.optional,
  ),
  set: Flag.String('set').pipe(
    Flag.withMetavar('PATH=VALUE'),
    Flag.withDescription('Sets one option, such as fleet[0].replicas=4 or router=least-loaded. May be repeated.'),
    Flag.atLeast(0),
  ),
}

export const jsonFlag = Flag.Boolean('json').pipe(
  Flag.withDescription('Print exactly one JSON document on stdout.'),
  Flag.withDefault(false),
)

/** Routers and schedulers of the user's own, for verbs that run one scenario. */
export const policyFlag = Flag.String('policy').pipe(
  Flag.withMetavar('FILE'),
  Flag.withDescription(
    'A router or scheduler of your own (TypeScript or JavaScript), in place of the one named. May be repeated.',
  ),
  Flag.atLeast(0),
)
