import type { Scheduler } from '@windtunnel/orchestrator'

/** Short prompts pass long ones, but nobody waits for ever: every second of later arrival counts as 100 tokens. */
export const smallPromptsFirst: Scheduler = {
  name: 'small-prompts-first',
  description: 'shorter prompts first, with ageing',
  rank: (request) => request.inputTokens + 100 * request.arrivalSeconds,
  victim: 'lastAdmitted',
}
