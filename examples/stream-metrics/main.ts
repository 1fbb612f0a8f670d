import { connect } from '@windtunnel/client'

// Prints the live TTFT of a server: npx node --conditions=@windtunnel/source examples/stream-metrics/main.ts [URL] [FRAMES]
const [url = 'http://127.0.0.1:4173', most = 'Infinity'] = process.argv.slice(2)
const client = connect({ url })
client.onStatus((status) => process.stderr.write(`${status}\n`))

const milliseconds = (seconds: number): string => `${(seconds * 1000).toFixed(1)} ms`
let frames = 0
for await (const message of client.messages()) {
  if (message.type === 'event') process.stdout.write(`${message.text}\n`)
  if (message.type === 'ended' || (message.type === 'hello' && message.ended !== undefined)) {
    process.stdout.write('the run has ended\n')
    break
  }
  if (message.type !== 'frame') continue
  const { time, ttft, arrivalRate } = message
  const shown =
    ttft === undefined ? 'no request yet' : `TTFT p50 ${milliseconds(ttft.p50)}, p99 ${milliseconds(ttft.p99)}`
  process.stdout.write(`${time.toFixed(1)} s: ${shown}, ${arrivalRate.toFixed(1)} requests/s\n`)
  frames += 1
  if (frames >= Number(most)) break
}
client.close()
