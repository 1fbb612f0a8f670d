import type { EngineNews, EngineOrder } from './orders.ts'
import { PlayedRun } from './playedRun.ts'
import { prepareText } from './prepareText.ts'
import { readLog } from './readLog.ts'
import { runToEnd } from './runToEnd.ts'

const tell = (news: EngineNews): void => postMessage(news)
const sentence = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
const refuse = (cause: unknown): void => tell({ kind: 'refused', reason: sentence(cause) })

let played: PlayedRun | undefined

const play = async (order: Extract<EngineOrder, { kind: 'play' }>): Promise<void> => {
  const earlier = order.log === undefined ? undefined : readLog(order.log)
  const seed = order.seed ?? earlier?.seed
  played?.close()
  played = new PlayedRun({
    run: 'here',
    prepare: prepareText(order.scenario, order.trace),
    tell: (message) => tell({ kind: 'message', message }),
    ...(seed === undefined ? {} : { seed }),
    ...(earlier === undefined || earlier.seed !== seed ? {} : { replay: earlier.replay }),
    ...(order.speed === undefined ? {} : { speed: order.speed }),
  })
  await played.start()
}

addEventListener('message', ({ data: order }: MessageEvent<EngineOrder>) => {
  if (order.kind === 'play') play(order).catch(refuse)
  else if (order.kind === 'command') played?.command(order.message).catch(refuse)
  else if (order.kind === 'log') {
    if (played !== undefined) tell({ kind: 'log', log: played.log() })
  } else runToEnd(order.wish).then((outcome) => tell({ kind: 'finished', outcome }), refuse)
})
