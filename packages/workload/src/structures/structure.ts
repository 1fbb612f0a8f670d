import type { RequestDraft } from '../request.ts'
import type { Ending } from '../requestSource.ts'

/** Where a structure puts what is to come. */
export interface FollowUps {
  /** Another request under `mark` (any 32-bit integer), `seconds` after the ending now told. */
  after(seconds: number, mark: number): void
  /** No request to come has the fresh texts from `leaf` up to, not including, `upTo` in its prompt. */
  release(leaf: number, upTo: number): void
}

/** What a piece of work is made of: one request, a conversation, an agent's task. */
export interface Structure {
  /** Fills the request that opens a new piece of work; the draft comes blank. `tag` comes back in `ended`. */
  open(draft: RequestDraft): void
  /** Fills the follow-up that was put under `mark`. */
  follow(mark: number, draft: RequestDraft): void
  /** The request with `tag` ended. Tells what follows it; true when the piece of work is over. Absent where that is so always. */
  ended?(tag: number, ending: Ending, followUps: FollowUps): boolean
}

/** For structures of one request: nothing follows. */
export const singleRequest = {
  follow: (): void => {},
}
