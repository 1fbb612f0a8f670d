import { cost } from './cost.ts'
import { model } from './model.ts'
import { objectives } from './objectives.ts'
import { choice, count, group, list, optional, quantity, type TypeOf, text, withDefault } from './options.ts'
import { outages } from './outage.ts'
import { fleet } from './pool.ts'
import { generateRouter, router } from './router.ts'
import { run } from './run.ts'
import { stragglers } from './straggler.ts'
import { traffic } from './traffic.ts'
import { transfer } from './transfer.ts'

/** The scenario file. */
export const scenarioOption = group(
  {
    version: choice([1], { sentence: 'Version of this file format.', example: 1 }),
    name: withDefault(text({ sentence: 'Name of the scenario, for reports.' }), 'scenario'),
    seed: withDefault(
      count({ sentence: 'Seed of everything that is drawn; the same seed gives the same run.', minimum: 0 }),
      1,
    ),
    model,
    cost,
    objectives,
    fleet,
    router,
    generateRouter,
    transfer,
    retries: withDefault(
      count({
        sentence: 'How often a request of which no token is out is sent again when its replica is lost.',
        minimum: 0,
        maximum: 100,
      }),
      0,
    ),
    outages,
    stragglers,
    tenantWeights: optional(
      list(quantity({ sentence: 'Share of one tenant.', unit: 'share', above: 0 }), {
        sentence:
          'Share of the service of each tenant, by its number from 0, where the scheduler is fair-share; 1 for tenants beyond the list.',
        minimumItems: 1,
        example: [1, 3],
      }),
    ),
    traffic,
    run,
  },
  { sentence: 'A model on a fleet of replicas, under traffic.' },
)

/** A scenario that has been checked, with every default filled in. */
export type Scenario = TypeOf<typeof scenarioOption>
