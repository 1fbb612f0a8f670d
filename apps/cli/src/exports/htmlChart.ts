import { number } from '../output/format.ts'

export interface ChartLine {
  readonly name: string
  /** Time in virtual seconds and value; undefined where there is none. */
  readonly points: readonly (readonly [number, number | undefined])[]
}

export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const WIDTH = 900
const HEIGHT = 180
const LEFT = 56
const BOTTOM = 20
const TOP = 8

/** A line chart over virtual time as an SVG figure, at most two lines. */
export function chart(title: string, unit: string, lines: readonly ChartLine[]): string {
  const values = lines.flatMap(({ points }) => points.map(([, value]) => value)).filter((value) => value !== undefined)
  const times = lines.flatMap(({ points }) => points.map(([time]) => time))
  const top = Math.max(0, ...values) || 1
  const end = Math.max(1, ...times)
  const x = (time: number): number => LEFT + ((WIDTH - LEFT - 8) * time) / end
  const y = (value: number): number => HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - TOP) * value) / top
  const grid = [0, 0.5, 1].map((share) => {
    const at = y(top * share).toFixed(1)
    return `<line x1="${LEFT}" x2="${WIDTH - 8}" y1="${at}" y2="${at}" stroke="var(--line)"/><text x="${LEFT - 6}" y="${at}" dy="4" text-anchor="end">${number(top * share, 3)}</text>`
  })
  const axis = [0, 0.5, 1].map(
    (share) =>
      `<text x="${x(end * share).toFixed(1)}" y="${HEIGHT - 4}" text-anchor="${share === 0 ? 'start' : share === 1 ? 'end' : 'middle'}">${number(end * share, 3)} s</text>`,
  )
  const paths = lines.map(
    ({ points }, index) =>
      `<path class="${index === 0 ? 'a' : 'b'}" fill="none" stroke-width="1.5" d="${path(points, x, y)}"/>`,
  )
  const key = lines.map(
    ({ name }, index) => `<span class="key" style="color:var(--${index === 0 ? 'a' : 'b'})">${escapeText(name)}</span>`,
  )
  return `<figure><figcaption>${escapeText(title)} <small>${escapeText(unit)}</small>${key.join('')}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeText(title)} over virtual time">${[...grid, ...axis, ...paths].join('')}</svg></figure>`
}

function path(points: ChartLine['points'], x: (time: number) => number, y: (value: number) => number): string {
  let text = ''
  let drawing = false
  for (const [time, value] of points) {
    if (value === undefined) {
      drawing = false
      continue
    }
    text += `${drawing ? 'L' : 'M'}${x(time).toFixed(1)} ${y(value).toFixed(1)}`
    drawing = true
  }
  return text
}
