import { clock } from '../../format/quantity.ts'
import { reachable } from '../../shell/reachable.ts'
import { useLive } from '../context.ts'
import { serialOf } from '../serial.ts'

/** What was changed and what the fleet ran into, latest first. */
export const Events = () => {
  const events = useLive((state) => state.events)
  return (
    <section className="panel events" aria-label="Events">
      <h2>
        <b>Events</b>
        <span className="end">latest first</span>
      </h2>
      {events.length === 0 && <p className="empty">Nothing has happened yet.</p>}
      <ol className="log" aria-label="Events, latest first" ref={reachable}>
        {events
          .slice(-40)
          .reverse()
          .map((event) => (
            <li key={serialOf(event)} className={event.cause}>
              <time>{clock(event.time, false)}</time>
              <span>
                {event.text}
                {event.cause === 'viewer' && <em> (by hand)</em>}
                {event.cause === 'log' && <em> (replayed)</em>}
              </span>
            </li>
          ))}
      </ol>
    </section>
  )
}
