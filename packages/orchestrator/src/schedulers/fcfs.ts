import type { Scheduler } from './scheduler.ts'

export const fcfs: Scheduler = {
  name: 'fcfs',
  description: 'first come, first served; the last admitted request gives way (the default of vLLM)',
  victim: 'lastAdmitted',
}
