import { serveTasks } from '@windtunnel/study/workers/workerPool'
import { runVariant } from './runVariant.ts'

serveTasks(runVariant)
