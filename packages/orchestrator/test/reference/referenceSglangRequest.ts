import { ReferenceRequest } from './referenceRequest.ts'

/** One request as the naive SGLang engine sees it. */
export class ReferenceSglangRequest extends ReferenceRequest {
  /** Its next decode gap is told by name: its last token did not come at the start of a decode step or the end of one. */
  named = false
  /** Pages of its own, keys of the tree pages that it holds, and pages kept for it where it is transferred to. */
  own = 0
  held: string[] = []
  received = 0

  override restart(): void {
    super.restart()
    this.named = false
    this.own = 0
    this.held = []
  }
}
