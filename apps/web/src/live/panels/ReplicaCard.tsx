import type { ReplicaFrame } from '@windtunnel/protocol'
import { useEffect } from 'react'
import { percent, text, whole } from '../../format/quantity.ts'
import { useSession } from '../context.ts'

/** More about one replica, and what can be done to it. */
export const ReplicaCard = ({ replica, close }: { replica: ReplicaFrame; close: () => void }) => {
  const session = useSession()
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') close()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [close])
  const up = replica.state === 'up'
  const rows: [string, string][] = [
    ['State', `${replica.state}, ${replica.role === 'both' ? 'prefill and decode' : replica.role}`],
    ['Running', `${whole(replica.running)} requests`],
    ['Waiting', `${whole(replica.waiting)} requests`],
    ['Context', `${whole(replica.contextTokens)} tokens`],
    ['KV use', text(percent(replica.kvUse))],
    ...(replica.role === 'generate'
      ? ([['Arriving', `${whole(replica.transferring)} KV caches`]] as [string, string][])
      : []),
  ]
  return (
    <section className="replica-card" aria-label={replica.name}>
      <b>{replica.name}</b>
      <dl>
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className="buttons">
        <button
          type="button"
          disabled={!up}
          onClick={() => session.send({ type: 'removeReplica', replica: replica.replica })}
        >
          Drain
        </button>
        <button
          type="button"
          className="danger"
          disabled={!up}
          onClick={() => session.send({ type: 'killReplica', replica: replica.replica })}
        >
          Kill
        </button>
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
    </section>
  )
}
