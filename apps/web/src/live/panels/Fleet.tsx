import type { Frame, LinkFrame, ReplicaFrame, ScenarioFacts } from '@windtunnel/protocol'
import { Fragment, useState } from 'react'
import { percent, scaled, text, whole } from '../../format/quantity.ts'
import { useLive, useLiveCalmly } from '../context.ts'
import { KvLink } from './KvLink.tsx'
import { ReplicaCard } from './ReplicaCard.tsx'
import { ReplicaField } from './ReplicaField.tsx'

type Pool = { name: string; facts: ScenarioFacts['pools'][number] | undefined; replicas: ReplicaFrame[] }

const poolsOf = (frame: Frame, scenario: ScenarioFacts): Pool[] => {
  const pools = new Map<string, Pool>()
  for (const facts of scenario.pools) pools.set(facts.name, { name: facts.name, facts, replicas: [] })
  for (const replica of frame.replicas) {
    const pool = pools.get(replica.pool) ?? { name: replica.pool, facts: undefined, replicas: [] }
    pool.replicas.push(replica)
    pools.set(replica.pool, pool)
  }
  return [...pools.values()]
}

/** So many tiles have room for the full name and the KV use. */
const mostRoomy = 8
/** Beyond that a pool is drawn on a canvas. */
const mostTiles = 96
/** Beyond that the fleet is shown twice a second, not ten times. */
const mostLively = 24
const calmMilliseconds = 500

/** generate-7 becomes G7. */
const shortName = (replica: ReplicaFrame): string => {
  const number = /(\d+)$/.exec(replica.name)?.[1] ?? String(replica.replica)
  return `${replica.pool.slice(0, 1).toUpperCase()}${number}`
}

/** Four letters at most: 940, 1.2k, 14k. */
const compact = (count: number): string =>
  count < 1000 ? String(count) : count < 10_000 ? `${(count / 1000).toFixed(1)}k` : `${Math.round(count / 1000)}k`

const tileStatus = (replica: ReplicaFrame): string => {
  if (replica.state !== 'up') return replica.state
  return replica.running === 0 && replica.waiting === 0 ? 'idle' : whole(replica.running)
}

interface TileProps {
  replica: ReplicaFrame
  /** Whether there is room for the KV use in figures. */
  roomy: boolean
  chosen: boolean
  choose: () => void
}

const Tile = ({ replica, roomy, chosen, choose }: TileProps) => (
  <button type="button" className={`tile ${replica.state} ${replica.role}`} aria-expanded={chosen} onClick={choose}>
    <span className="unseen">{`${replica.name}, ${replica.state}, ${replica.running} running, ${replica.waiting} waiting, KV ${text(percent(replica.kvUse))}`}</span>
    <b aria-hidden="true">{roomy ? replica.name : shortName(replica)}</b>
    <em aria-hidden="true">
      {replica.waiting > 0 && replica.state === 'up' && <i className="waits">+{compact(replica.waiting)}</i>}
      {tileStatus(replica)}
    </em>
    <span className="bar" aria-hidden="true">
      <i style={{ width: `${replica.kvUse * 100}%` }} />
    </span>
    {roomy && (
      <small aria-hidden="true">{replica.state === 'down' ? 'lost' : `KV ${text(percent(replica.kvUse))}`}</small>
    )}
  </button>
)

const poolTitle = (pool: Pool): string => {
  const up = pool.replicas.filter((replica) => replica.state === 'up').length
  const facts = pool.facts
  const hardware = facts === undefined ? '' : ` · ${facts.engine} · ${facts.accelerator} ${facts.layout}`
  return `${up} up${hardware}`
}

const linkBetween = (links: readonly LinkFrame[], from: string, to: string): LinkFrame | undefined =>
  links.find((link) => link.from === from && link.to === to)

const subtitle = (scenario: ScenarioFacts | undefined): string => {
  if (scenario === undefined) return ''
  const accelerators = scenario.pools.reduce((sum, pool) => sum + pool.replicas * pool.acceleratorsPerReplica, 0)
  return `${scenario.model} · ${accelerators} ${accelerators === 1 ? 'accelerator' : 'accelerators'} at the start`
}

/** One tile a replica, grouped by pool, with the KV links between pools. */
export const Fleet = () => {
  const frame = useLiveCalmly(
    (state) => state.frame,
    (state) => ((state.frame?.replicas.length ?? 0) > mostLively ? calmMilliseconds : 0),
  )
  const scenario = useLive((state) => state.hello?.scenario)
  const playing = useLive((state) => state.frame?.state === 'running' && state.connection === 'live')
  const [chosen, setChosen] = useState<number | undefined>(undefined)
  const pools = frame === undefined || scenario === undefined ? [] : poolsOf(frame, scenario)
  const roomy = (frame?.replicas.length ?? 0) <= mostRoomy
  const chosenReplica = frame?.replicas.find((replica) => replica.replica === chosen)
  return (
    <section className="panel fleet-panel" aria-label="Fleet">
      <h2>
        <b>Fleet</b>
        <span className="unit">{subtitle(scenario)}</span>
        <span className="end">
          {(frame?.replicas.length ?? 0) > mostTiles
            ? 'filled: KV use · line on top: requests wait'
            : 'number: running · + waiting · bar: KV use'}
        </span>
      </h2>
      <div className={roomy ? 'fleet roomy' : 'fleet'}>
        {pools.length === 0 && <p className="empty">No replicas to show yet.</p>}
        {pools.map((pool, index) => {
          const before = pools[index - 1]
          const link = before === undefined ? undefined : linkBetween(frame?.links ?? [], before.name, pool.name)
          return (
            <Fragment key={pool.name}>
              {link !== undefined && <KvLink link={link} playing={playing} />}
              <div className="pool" style={{ flexGrow: Math.max(1, pool.replicas.length) }}>
                <h3>
                  <b>{pool.name}</b> {poolTitle(pool)}
                </h3>
                {pool.replicas.length > mostTiles ? (
                  <ReplicaField replicas={pool.replicas} chosen={chosen} choose={setChosen} />
                ) : (
                  <div className="tiles">
                    {pool.replicas.map((replica) => (
                      <Tile
                        key={replica.replica}
                        replica={replica}
                        roomy={roomy}
                        chosen={replica.replica === chosen}
                        choose={() => setChosen(replica.replica === chosen ? undefined : replica.replica)}
                      />
                    ))}
                  </div>
                )}
              </div>
            </Fragment>
          )
        })}
      </div>
      {chosenReplica !== undefined && <ReplicaCard replica={chosenReplica} close={() => setChosen(undefined)} />}
    </section>
  )
}

export const linkText = (link: LinkFrame): string =>
  `${text(scaled(link.bytesPerSecond, 'B/s'))}${link.utilisation === undefined ? '' : ` · ${text(percent(link.utilisation))}`}`
