import * as Argument from 'effect/cli/Argument'
import * as Command from 'effect/cli/Command'
import { action } from '../action.ts'
import { CliFault } from '../fault.ts'
import type { ScenarioChoices } from '../input/scenarioFile.ts'
import { jsonFlag, policyFlag, scenarioArgument, scenarioFlags } from '../input/scenarioFlags.ts'

interface Input extends ScenarioChoices {
  readonly request: number
  readonly policy: readonly string[]
  readonly json: boolean
}

export const explain = Command.make(
  'explain',
  {
    scenario: scenarioArgument,
    request: Argument.Int('request').pipe(
      Argument.withDescription('Number of the request, from 0 in order of arrival.'),
    ),
    ...scenarioFlags,
    policy: policyFlag,
    json: jsonFlag,
  },
  action(async (input: Input) => {
    if (input.request < 0) throw new CliFault(`request ${input.request}: expected 0 or more`)
    const { loadScenario } = await import('../input/scenarioFile.ts')
    const { runLoaded } = await import('../run/runLoaded.ts')
    const { RequestStory } = await import('../explain/requestStory.ts')
    const { storyWords } = await import('../explain/storyWords.ts')
    const { print, printJson } = await import('../output/print.ts')
    const story = new RequestStory(input.request)
    const { loadPolicies } = await import('../input/policyFile.ts')
    const { summary } = await runLoaded(await loadScenario(input), {
      exports: [],
      progress: true,
      observers: [story],
      policies: await loadPolicies(input.policy),
    })
    const { arrived } = summary.requests
    if (story.facts.length === 0) {
      throw new CliFault(
        `request ${input.request} never arrived: this run had ${arrived}, numbered 0 to ${arrived - 1}`,
      )
    }
    if (input.json) return printJson({ request: input.request, facts: story.facts })
    const open = story.facts.at(-1)?.kind === 'ended' ? [] : ['it was still inside when the run stopped']
    await print(
      [
        `Request ${input.request} of ${summary.scenario} (seed ${summary.seed})`,
        ...storyWords(story.facts),
        ...open,
      ].join('\n'),
    )
  }),
).pipe(
  Command.withDescription(
    "Tell one request's story: the run is repeated (the same seed gives the same run) and watched.",
  ),
  Command.withExamples([{ command: 'windtunnel explain demo-chat 42', description: 'The 43rd request' }]),
)
