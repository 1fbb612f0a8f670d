import type { Time } from '@windtunnel/des'

/** One request as the traffic describes it. Sources fill one reused object; nobody keeps it. */
export interface RequestDraft {
  /** When it reaches the front end. */
  arrival: Time
  inputTokens: number
  /** Tokens the model will really generate (>= 1): the engine learns of it only when the last one is made. */
  outputTokens: number
  /** Limit the client asked for (max_tokens), >= 1. The output stops at min(outputTokens, maxTokens). */
  maxTokens: number
  /**
   * Node of the prompt tree where the prompt's known text ends; 0 when it shares nothing. Tokens of the prompt beyond the
   * node's depth are text of its own.
   */
  prompt: number
  /** Node that the generated text becomes (child of `prompt`, `outputTokens` long), for later turns; 0 when none follows. */
  output: number
  /** Conversation or user session, for affinity; 0 when none. */
  session: number
  /** Index into the scenario's tenants; 0 when there is one. */
  tenant: number
  /** Index into the scenario's service classes (objectives); 0 when there is one. */
  serviceClass: number
  /** Lower runs first (vLLM's convention). */
  priority: number
  /** Seconds after arrival at which the client leaves; Infinity when it stays. */
  cancelAfterSeconds: number
  /** Seconds after arrival at which an unfinished request is given up; Infinity when never. */
  timeoutSeconds: number
  /** The source's own mark, given back in `ended`. */
  tag: number
}

export const emptyDraft = (): RequestDraft => ({
  arrival: { seconds: 0, ticks: 0 },
  inputTokens: 1,
  outputTokens: 1,
  maxTokens: 1,
  prompt: 0,
  output: 0,
  session: 0,
  tenant: 0,
  serviceClass: 0,
  priority: 0,
  cancelAfterSeconds: Number.POSITIVE_INFINITY,
  timeoutSeconds: Number.POSITIVE_INFINITY,
  tag: 0,
})
