import type { EngineNews, EngineOrder } from './orders.ts'
import { PlayedRun } from './playedRun.ts'
import { prepareText } from './prepareText.ts'
import { runToEnd } from './runToEnd.ts'

const tell = (news: EngineNews): void => postMessage(news)
const sentence = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
const refuse = (cause: unknown): void => tell({ kind: 'refused', reason: sentence(cause) })

let played: PlayedRun | undefined

const play = async (order: Extract<EngineOrder, { kind: 'play' }>): Promise<void> => {
  played?.close()
  played = new PlayedRun({
    run: 'here',
    prepare: prepareText(order.scenario, order.trace),
    tell: (message) => tell({ kind: 'message', message }),
    ...(order.seed === undefined ? {} : { seed: order.seed }),
    ...(order.speed === undefined ? {} : { speed: order.speed }),
  })
  await played.start()
}

addEventListener('message', ({ data: order }: MessageEvent<EngineOrder>) => {
  if (order.kind === 'play') play(order).catch(refuse)
  else if (order.kind === 'command') played?.command(order.message).catch(refuse)
  else runToEnd(order.wish).then((outcome) => tell({ kind: 'finished', outcome }), refuse)
})
