import * as Command from 'effect/cli/Command'
import { planServe } from './planServe.ts'
import { planTrain } from './planTrain.ts'

export const plan = Command.make('plan').pipe(
  Command.withDescription('How to train or serve a model on some hardware, as "How To Scale Your Model" works it out.'),
  Command.withSubcommands([planServe, planTrain]),
)
