import type { Frame } from '@windtunnel/protocol'
import { useRef } from 'react'
import { latency, percent, text, threeDigits } from '../../format/quantity.ts'
import { useLive } from '../context.ts'

/** How each service class fares over the window; nothing while a scenario has only one. */
export const Classes = () => {
  const latest = useLive((state) => state.frame?.classes)
  const run = useLive((state) => state.hello)
  // Frames for slow viewers leave the classes out: the last ones stay.
  const shown = useRef<{ run: object | undefined; classes: Frame['classes'] }>({ run, classes: [] })
  if (shown.current.run !== run) shown.current = { run, classes: [] }
  if (latest !== undefined && latest.length > 0) shown.current.classes = latest
  const { classes } = shown.current
  if (classes.length === 0) return null
  return (
    <section className="panel" aria-label="Service classes">
      <h2>
        <b>Service classes</b>
        <span className="end">p99 over the window</span>
      </h2>
      <table className="class-table">
        <thead>
          <tr>
            <th scope="col">Class</th>
            <th scope="col">TTFT</th>
            <th scope="col">E2E</th>
            <th scope="col">req/s</th>
            <th scope="col">in time</th>
          </tr>
        </thead>
        <tbody>
          {classes.map(({ serviceClass, ttft, e2e, requestsPerSecond, goodput }) => (
            <tr key={serviceClass}>
              <th scope="row">{serviceClass}</th>
              <td>{text(latency(ttft?.p99))}</td>
              <td>{text(latency(e2e?.p99))}</td>
              <td>{threeDigits(requestsPerSecond)}</td>
              <td>{text(percent(requestsPerSecond > 0 ? Math.min(1, goodput / requestsPerSecond) : undefined))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
