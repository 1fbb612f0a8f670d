import type { ClientCommand } from '@windtunnel/protocol'
import { clock } from '../../format/quantity.ts'
import { PauseIcon, PlayIcon, RestartIcon, StepIcon } from '../../shell/icons.tsx'
import { useLive, useSession } from '../context.ts'
import { useShortcuts } from '../shortcuts.ts'

type Speed = number | 'max'
const usualSpeeds: readonly Speed[] = [1, 10, 100, 'max']

/** Virtual time and seed of the run. */
export const RunClock = () => {
  const time = useLive((state) => state.frame?.time ?? 0)
  const seed = useLive((state) => state.hello?.scenario.seed)
  return (
    <div className="clock">
      <time>{clock(time)}</time> <span>simulated{seed === undefined ? '' : ` · seed ${seed}`}</span>
    </div>
  )
}

/** Pause and play, step, and the speed of the run. */
export const Transport = () => {
  const session = useSession()
  const runState = useLive((state) => state.frame?.state ?? (state.hello === undefined ? undefined : 'ready'))
  const speed = useLive((state) => state.frame?.speed)
  const speeds = useLive((state) => state.hello?.scenario.speeds ?? usualSpeeds)
  const live = useLive((state) => state.connection === 'live')
  const error = useLive((state) => state.errors.transport)
  const ended = runState === 'ended'
  const playing = runState === 'running'
  const send = (command: ClientCommand) => session.send(command)
  const toggle = () => send(ended ? { type: 'reset' } : { type: playing ? 'pause' : 'start' })
  const step = () => {
    if (!playing && !ended) send({ type: 'step' })
  }
  useShortcuts({
    ' ': toggle,
    '.': step,
    ...Object.fromEntries(speeds.map((one, index) => [String(index + 1), () => send({ type: 'speed', speed: one })])),
  })
  const label = ended ? 'Run again' : playing ? 'Pause' : 'Play'
  return (
    <div className="transport" role="toolbar" aria-label="Playback">
      <button type="button" onClick={toggle} disabled={!live} aria-label={label} title={`${label} (space)`}>
        {ended ? <RestartIcon /> : playing ? <PauseIcon /> : <PlayIcon />}
      </button>
      <button
        type="button"
        onClick={step}
        disabled={!live || playing || ended}
        aria-label="Step one event"
        title="Step one event (.)"
      >
        <StepIcon />
      </button>
      {speeds.map((one, index) => (
        <button
          type="button"
          key={one}
          disabled={!live}
          aria-pressed={one === speed}
          onClick={() => send({ type: 'speed', speed: one })}
          title={`${one === 'max' ? 'As fast as this machine can' : `${one} simulated seconds per second`} (${index + 1})`}
        >
          {one === 'max' ? 'max' : `${one}×`}
        </button>
      ))}
      {error !== undefined && (
        <p className="refusal" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
