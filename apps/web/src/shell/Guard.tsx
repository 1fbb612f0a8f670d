import { Component, type ReactNode } from 'react'
import { addressOf } from './route.ts'

/** Shows the sentence of an error that a view threw, in its place; `view` anew is a new try. */
export class Guard extends Component<
  { view: string; children: ReactNode },
  { fault: string | undefined; view: string }
> {
  override state = { fault: undefined, view: this.props.view }

  static getDerivedStateFromError(error: unknown): { fault: string } {
    return { fault: error instanceof Error ? error.message : String(error) }
  }

  static getDerivedStateFromProps(
    { view }: { view: string },
    state: { view: string },
  ): { fault: undefined; view: string } | null {
    return view === state.view ? null : { fault: undefined, view }
  }

  override render(): ReactNode {
    const { fault, view } = this.state
    if (fault === undefined) return this.props.children
    return (
      <main className="page" id="view">
        <h1 className="unseen">This view failed</h1>
        <div className="panel verdict bad" role="alert">
          <span className="badge">This view failed</span>
          <span className="sentence">
            {fault} <a href={addressOf(view.replace(/\?.*/s, ''))}>Begin it anew</a>, without what the address asks of
            it.
          </span>
        </div>
      </main>
    )
  }
}
