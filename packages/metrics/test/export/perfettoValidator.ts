/** An event of the JSON trace event format. */
export interface TraceEvent {
  ph: string
  name: string
  pid: number
  tid: number
  ts?: number
  dur?: number
  id?: number
  cat?: string
  s?: string
  args?: Record<string, unknown>
}

/** Rounding of seconds to microseconds. */
const EPSILON_MICROSECONDS = 1e-3

/**
 * Checks a text against the JSON trace event format as Perfetto reads it: the fields of each kind of event, time that never
 * goes back on a track, slices of a track that follow one another or nest, async begins and ends that pair up and nest, a
 * name for every process. Returns its events; throws an error that names the first event that is wrong.
 */
export function validatedTrace(text: string): TraceEvent[] {
  const { traceEvents } = JSON.parse(text) as { traceEvents: TraceEvent[] }
  const tracks = new Tracks()
  traceEvents.forEach((event, index) => {
    const fail = (what: string): never => {
      throw new Error(`event ${index}: ${what}: ${JSON.stringify(event)}`)
    }
    checkFields(event, fail)
    tracks.add(event, fail)
  })
  tracks.close()
  return traceEvents
}

type Fail = (what: string) => never

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

function checkFields(event: TraceEvent, fail: Fail): void {
  const { ph, name, pid, tid, ts, dur, id, cat, s, args } = event
  if (typeof name !== 'string' || name === '') fail('a name is needed')
  if (!Number.isInteger(pid) || !Number.isInteger(tid)) fail('pid and tid are whole numbers')
  if (ph === 'M') {
    if (!['process_name', 'thread_name', 'process_sort_index', 'thread_sort_index'].includes(name))
      fail('unknown metadata')
    if (name.endsWith('_name') ? typeof args?.['name'] !== 'string' : !Number.isInteger(args?.['sort_index']))
      fail('metadata needs its argument')
    return
  }
  if (!isNumber(ts) || ts < 0) fail('a time of at least 0 is needed')
  if (ph === 'X' && (!isNumber(dur) || dur < 0)) fail('a complete event needs a duration')
  if (ph === 'C' && !(args !== undefined && Object.values(args).length > 0 && Object.values(args).every(isNumber)))
    fail('a counter needs numbers')
  if (ph === 'i' && !['t', 'p', 'g'].includes(s ?? '')) fail('an instant needs a scope')
  if ((ph === 'b' || ph === 'e') && (id === undefined || cat === undefined))
    fail('an async event needs id and category')
  if (!['X', 'C', 'i', 'b', 'e'].includes(ph)) fail('unknown kind')
}

class Tracks {
  readonly #lastTime = new Map<string, number>()
  readonly #openSlices = new Map<string, number[]>()
  readonly #openAsync = new Map<string, string[]>()
  readonly #named = new Set<number>()

  add(event: TraceEvent, fail: Fail): void {
    if (event.ph === 'M') {
      if (event.name === 'process_name') this.#named.add(event.pid)
      return
    }
    if (!this.#named.has(event.pid)) fail('its process has no name yet')
    const track = trackOf(event)
    const last = this.#lastTime.get(track) ?? 0
    if (event.ts! < last) fail(`time goes back from ${last} on track ${track}`)
    this.#lastTime.set(track, event.ts!)
    if (event.ph === 'X') this.#slice(track, event, fail)
    if (event.ph === 'b' || event.ph === 'e') this.#async(track, event, fail)
  }

  close(): void {
    for (const [track, names] of this.#openAsync)
      if (names.length > 0) throw new Error(`${names.join(', ')} of track ${track} never end`)
  }

  #slice(track: string, { ts, dur }: TraceEvent, fail: Fail): void {
    const ends = this.#openSlices.get(track) ?? []
    this.#openSlices.set(track, ends)
    while (ends.length > 0 && ends.at(-1)! <= ts! + EPSILON_MICROSECONDS) ends.pop()
    const end = ts! + dur!
    if (ends.length > 0 && end > ends.at(-1)! + EPSILON_MICROSECONDS)
      fail(`overlaps a slice that ends at ${ends.at(-1)}`)
    ends.push(end)
  }

  #async(track: string, { ph, name }: TraceEvent, fail: Fail): void {
    const names = this.#openAsync.get(track) ?? []
    this.#openAsync.set(track, names)
    if (ph === 'b') names.push(name)
    else if (names.pop() !== name) fail('ends what did not begin last')
  }
}

/** Async events make a track for each id, counters for each name, all else for each thread. */
function trackOf({ ph, pid, tid, id, cat, name }: TraceEvent): string {
  if (ph === 'b' || ph === 'e') return `async ${pid} ${cat} ${id}`
  return ph === 'C' ? `counter ${pid} ${name}` : `thread ${pid} ${tid}`
}
