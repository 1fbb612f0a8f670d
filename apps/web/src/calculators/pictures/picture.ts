import type { ReactNode } from 'react'
import type { Results } from '../evaluate.ts'
import type { Typed } from '../inputs.ts'

/** What a picture is drawn from: the inputs as typed, and the results for them. */
export interface PictureProps {
  typed: Typed
  results: Results
}

/** A picture that says more than the figures of a calculator; nothing when these inputs give none. */
export type Picture = (props: PictureProps) => ReactNode
