/**
 * What prompts share, as a tree of runs of text. A node is a run of tokens after its parent's; two prompts share exactly
 * the tokens of the nodes that their paths have in common. Node 0 is the root: the empty text. The prefix caches hang
 * their state on node numbers, so that work on a prefix costs per shared run and not per block of every request.
 */
export interface PromptTree {
  /** Number of nodes; node numbers are 0 .. size - 1. */
  readonly size: number
  /** The node of text `contentId` (any safe integer) of `tokens` > 0 tokens after `parent`: the same arguments give the same node. */
  child(parent: number, contentId: number, tokens: number): number
  /** A new node after `parent` that nothing else will find again by content: a user's words, a model's answer. */
  fresh(parent: number, tokens: number): number
  parentOf(node: number): number
  /** Tokens from the root to the end of `node`. */
  depthOf(node: number): number
  /**
   * The piece of work that made the fresh nodes from `leaf` up to, not including, `upTo` is over at `atSeconds`: no request
   * to come has them in its prompt. Nobody may ask about them 600 s later, when their memory may be used again.
   */
  release(leaf: number, upTo: number, atSeconds: number): void
}
