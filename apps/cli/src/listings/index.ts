/** One name that a scenario may use. */
export interface Entry {
  readonly name: string
  readonly sentence: string
}

type Listing = () => Promise<readonly Entry[]>

/** The entries of a registry: a record or a map of parts that say what they are. */
const named = (parts: object): Entry[] =>
  (parts instanceof Map ? [...parts] : Object.entries(parts)).map(([name, part]) => {
    const { sentence, description } = part as { sentence?: string; description?: string }
    return { name: String(name), sentence: sentence ?? description ?? '' }
  })

/** What can be listed, each from its registry. */
export const listings = {
  hardware: async () => {
    const { accelerator, acceleratorNames } = await import('@windtunnel/hardware')
    return acceleratorNames.map((name) => ({ name, sentence: accelerator(name).title }))
  },
  models: async () => {
    const { model, modelNames } = await import('@windtunnel/models')
    return modelNames.map((name) => ({ name, sentence: model(name).title }))
  },
  engines: async () => casesOf((await docOf()).fields['fleet'], 'engine'),
  schedulers: async () => named((await import('@windtunnel/orchestrator/schedulers/index')).schedulers),
  routers: async () => casesOf(await docOf(), 'router'),
  arrivals: async () => named((await import('@windtunnel/workload/arrivals/index')).arrivals),
  lengths: async () => named((await import('@windtunnel/workload/lengths/index')).lengths),
  structures: async () => named((await import('@windtunnel/workload/structures/index')).structures),
  traces: async () => named((await import('@windtunnel/workload/traces/formats/index')).traceFormats),
  backends: async () => casesOf(await docOf(), 'cost'),
  presets: async () => (await import('@windtunnel/scenario/presets/index')).presetList,
} satisfies Record<string, Listing>

export const listingNames = Object.keys(listings) as (keyof typeof listings)[]

type Doc = import('@windtunnel/scenario/schema/doc').Doc
type Group = Doc & { kind: 'group' }

async function docOf(): Promise<Group> {
  const { scenarioOption } = await import('@windtunnel/scenario/schema/scenario')
  return scenarioOption.doc as Group
}

/** The kinds of an option that has kinds, from the scenario's own schema. */
function casesOf(owner: Doc | undefined, field: string): Entry[] {
  const group = owner?.kind === 'list' ? owner.items : owner
  const option = group?.kind === 'group' ? group.fields[field] : undefined
  return option?.kind === 'variant' ? named(option.cases) : []
}
