import type { ReplicaFrame } from '@windtunnel/protocol'
import { useEffect, useId, useRef, useState } from 'react'
import { colour } from '../../chart/colour.ts'
import { percent, text, whole } from '../../format/quantity.ts'
import { onThemeChange } from '../../shell/theme.ts'

/** Side of a cell and the gap to the next, CSS pixels: the more replicas, the smaller. */
const cellOf = (count: number): { side: number; gap: number } =>
  count <= 400 ? { side: 15, gap: 3 } : count <= 2000 ? { side: 10, gap: 2 } : { side: 6, gap: 1 }

const columnsIn = (width: number, count: number): number => {
  const { side, gap } = cellOf(count)
  return Math.max(1, Math.floor((width + gap) / (side + gap)))
}

const heightFor = (width: number, count: number): number => {
  const { side, gap } = cellOf(count)
  return Math.ceil(count / columnsIn(width, count)) * (side + gap) - gap
}

/** Every replica a cell: filled from below by its KV use, a dot where requests wait, framed where it is not up. */
const draw = (canvas: HTMLCanvasElement, replicas: readonly ReplicaFrame[], chosen: number | undefined): void => {
  const context = canvas.getContext('2d')
  if (context === null) return
  const width = canvas.clientWidth
  const height = heightFor(width, replicas.length)
  canvas.width = width * devicePixelRatio
  canvas.height = height * devicePixelRatio
  canvas.style.height = `${height}px`
  context.scale(devicePixelRatio, devicePixelRatio)
  const { side, gap } = cellOf(replicas.length)
  const columns = columnsIn(width, replicas.length)
  for (const [place, replica] of replicas.entries()) {
    const x = (place % columns) * (side + gap)
    const y = Math.floor(place / columns) * (side + gap)
    context.fillStyle = colour('line')
    context.fillRect(x, y, side, side)
    context.fillStyle = colour(replica.role === 'prefill' ? 'prefill' : 'decode')
    context.fillRect(x, y + side * (1 - replica.kvUse), side, side * replica.kvUse)
    if (replica.waiting > 0) {
      context.fillStyle = colour('warn')
      context.fillRect(x, y, side, Math.max(1, side / 5))
    }
    if (replica.state === 'up' && replica.replica !== chosen) continue
    context.strokeStyle = colour(replica.replica === chosen ? 'ink' : replica.state === 'down' ? 'bad' : 'dim')
    context.lineWidth = 1.5
    context.strokeRect(x + 0.75, y + 0.75, side - 1.5, side - 1.5)
  }
}

const sentenceOf = (replicas: readonly ReplicaFrame[]): string => {
  const up = replicas.filter(({ state }) => state === 'up')
  const fullest = up.reduce((most, { kvUse }) => Math.max(most, kvUse), 0)
  const waiting = up.filter((replica) => replica.waiting > 0).length
  return `${whole(up.length)} of ${whole(replicas.length)} replicas up; requests wait at ${whole(waiting)}; the fullest KV cache is at ${text(percent(fullest))}`
}

/** A pool of many replicas on one canvas; choose one by pointer or by its number. */
export const ReplicaField = ({
  replicas,
  chosen,
  choose,
}: {
  replicas: readonly ReplicaFrame[]
  chosen: number | undefined
  choose: (replica: number | undefined) => void
}) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const id = useId()
  const [typed, setTyped] = useState('')
  useEffect(() => {
    const element = canvas.current
    if (element === null) return
    const again = () => draw(element, replicas, chosen)
    again()
    const watcher = new ResizeObserver(again)
    watcher.observe(element)
    const stop = onThemeChange(again)
    return () => {
      watcher.disconnect()
      stop()
    }
  }, [replicas, chosen])
  const numbers = replicas.map(({ replica }) => replica)
  const known = typed === '' || numbers.includes(Number(typed))
  return (
    <>
      <canvas
        ref={canvas}
        className="field-of-replicas"
        role="img"
        aria-label={sentenceOf(replicas)}
        onPointerDown={(event) => {
          const { left, top, width } = event.currentTarget.getBoundingClientRect()
          const { side, gap } = cellOf(replicas.length)
          const column = Math.floor((event.clientX - left) / (side + gap))
          const row = Math.floor((event.clientY - top) / (side + gap))
          choose(replicas[row * columnsIn(width, replicas.length) + column]?.replica)
        }}
      />
      <p className="hint field-line">
        <label htmlFor={id}>Replica</label>
        <input
          id={id}
          inputMode="numeric"
          placeholder={`${numbers[0]} to ${numbers.at(-1)}`}
          value={typed}
          aria-invalid={!known}
          onChange={(event) => {
            const number = event.currentTarget.value
            setTyped(number)
            if (number !== '' && numbers.includes(Number(number))) choose(Number(number))
          }}
        />
        <span>{sentenceOf(replicas)}.</span>
      </p>
    </>
  )
}
