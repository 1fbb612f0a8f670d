import { useCallback, useEffect, useState } from 'react'
import { addressOf } from '../shell/route.ts'
import { deleteKept, type KeptRun, listKept } from './keptRuns.ts'

const most = 4

const Row = ({
  kept,
  chosen,
  choose,
  remove,
}: {
  kept: KeptRun
  chosen: boolean
  choose: (on: boolean) => void
  remove: () => void
}) => (
  <tr>
    <td>
      <input
        type="checkbox"
        aria-label={`Choose run ${kept.id}`}
        checked={chosen}
        onChange={(event) => choose(event.currentTarget.checked)}
      />
    </td>
    <th scope="row">
      <a href={addressOf('runs', { kept: String(kept.id) })}>
        #{kept.id} {kept.scenario}
      </a>
    </th>
    <td>seed {kept.seed}</td>
    <td>{new Date(kept.startedAt).toLocaleString()}</td>
    <td>{kept.endedAt === undefined ? 'still open' : 'over'}</td>
    <td>
      <button type="button" className="inline" aria-label={`Delete run ${kept.id}`} onClick={remove}>
        Delete
      </button>
    </td>
  </tr>
)

/** The runs that the server keeps: open one again, compare up to four, delete. */
export const KeptList = () => {
  const [runs, setRuns] = useState<readonly KeptRun[] | string | undefined>(undefined)
  const [chosen, setChosen] = useState<readonly number[]>([])
  const renew = useCallback(() => {
    listKept().then(setRuns, (cause: unknown) => setRuns(cause instanceof Error ? cause.message : String(cause)))
  }, [])
  useEffect(renew, [renew])
  if (runs === undefined || typeof runs === 'string') return null
  return (
    <section className="panel" aria-label="Kept runs">
      <h2>
        <b>Kept</b>
        <span className="unit">{runs.length === 0 ? 'none yet' : `${runs.length}, latest first`}</span>
      </h2>
      {runs.length > 0 && (
        <div className="table-place">
          <table className="kept">
            <tbody>
              {runs.slice(0, 100).map((kept) => (
                <Row
                  key={kept.id}
                  kept={kept}
                  chosen={chosen.includes(kept.id)}
                  choose={(on) =>
                    setChosen(on ? [...chosen, kept.id].slice(-most) : chosen.filter((id) => id !== kept.id))
                  }
                  remove={() => void deleteKept(kept.id).then(renew, renew)}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div className="buttons">
        <button
          type="button"
          disabled={chosen.length < 2}
          onClick={() => location.assign(addressOf('runs', { kept: chosen.join(',') }))}
        >
          Compare {chosen.length < 2 ? 'two to four' : chosen.length}
        </button>
      </div>
    </section>
  )
}
