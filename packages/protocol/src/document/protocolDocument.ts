import type { Schema } from 'effect'
import { COMMANDS } from '../command.ts'
import { Frame } from '../frame.ts'
import { routesOf } from '../http/routes.ts'
import { RequestSample } from '../requestSample.ts'
import { RunEvent } from '../runEvent.ts'
import { Ack, Ended, ErrorMessage, Hello } from '../serverMessage.ts'
import { PROTOCOL_VERSION, STREAM_PATH } from '../version.ts'
import { type Shape, shapesOf, typeOf } from './shapes.ts'

const SERVER_MESSAGES = [Hello, Frame, RunEvent, RequestSample, Ended, Ack, ErrorMessage]

/** docs/protocol.md as text, made from the schemas. */
export function protocolDocument(): string {
  const shapes = new Map<string, Shape>()
  const messages: string[] = []
  const collect = (schema: Schema.Top): void => {
    const found = shapesOf(schema)
    messages.push([...found.keys()][0]!)
    for (const [name, shape] of found) shapes.set(name, shape)
  }
  for (const schema of SERVER_MESSAGES) collect(schema)
  const parts = [...shapes.keys()].filter((name) => !messages.includes(name)).sort()
  const commands = Object.values(COMMANDS).map((schema) => commandSection([...shapesOf(schema).values()][0]!))
  return [
    introduction(),
    BINARY,
    '## What the server sends',
    ...messages.map((name) => section(name, shapes.get(name)!)),
    '## What a client may send',
    COMMAND_RULES,
    ...commands,
    '## Parts of messages',
    ...parts.map((name) => section(name, shapes.get(name)!)),
    '',
  ].join('\n\n')
}

function section(name: string, shape: Shape): string {
  const sentence = shape.description === undefined ? [] : [`${shape.description}.`]
  const body = shape.properties === undefined ? `One of: ${typeOf(shape)}.` : table(shape)
  return [`### ${name}`, ...sentence, body].join('\n\n')
}

function commandSection(shape: Shape): string {
  const tag = shape.properties?.['type']?.enum?.[0] ?? ''
  const own = Object.keys(shape.properties ?? {}).filter((field) => !['type', 'id', 'run'].includes(field))
  const fields = own.length === 0 ? [] : [table(shape, own)]
  return [`### \`${tag}\``, `${capital(shape.description ?? '')}.`, ...fields].join('\n\n')
}

function table(shape: Shape, fields = Object.keys(shape.properties ?? {})): string {
  const rows = fields.map((field) => {
    const property = shape.properties![field]!
    const needed = shape.required?.includes(field) === true ? '' : ' (may be absent)'
    return `| \`${field}\` | ${typeOf(property)}${needed} | ${meaningOf(property)} |`
  })
  return ['| Field | Type | Meaning |', '| --- | --- | --- |', ...rows].join('\n')
}

function routeTable(): string {
  const rows = routesOf().map(({ method, path, sentence }) => `| \`${method} ${path}\` | ${sentence} |`)
  return ['| Request | Answer |', '| --- | --- |', ...rows].join('\n')
}

const meaningOf = (shape: Shape): string =>
  shape.description ?? shape.allOf?.find((one) => one.description !== undefined)?.description ?? ''

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const introduction = (): string => `# The live protocol, version ${PROTOCOL_VERSION}

A live server speaks JSON text over a WebSocket at \`ws://HOST:PORT${STREAM_PATH}\`. Add \`?run=NAME\` to watch a run other
than the first, \`token=TOKEN\` where the server asks for one, and \`encoding=binary\` for the binary form. This page is
made from the schemas in \`packages/protocol\`; a test fails when the two differ.

The life of a connection:

1. The server sends a \`hello\`: the scenario, the choices that its controls offer, and the frames, events and samples so
   far. A view can be drawn from it alone.
2. Ten times a second of wall time, while the run plays, it sends a \`frame\`; \`event\` and \`requestSample\` come in between.
3. A client may send commands. Each has an \`id\` and is answered by one \`ack\` or one \`error\` with that id.
4. When the run is over the server sends \`ended\`. After a \`reset\` it sends a new \`hello\`. When the run is taken away it
   sends an \`error\` without \`id\`; the connection stays, and may watch another run.

What a client can rely on:

- Messages of one run come in the order in which they were made. \`seq\` of frames rises by one; a gap says that the
  connection was slow and frames were merged; \`merged\` of the next frame counts them. The last frame and \`ended\` are
  never left out.
- All times are seconds, \`time\` is virtual time, and all sizes are SI units. A field that may be absent is absent when
  there is nothing to say: it is never null or a number that stands for nothing.
- Percentiles in a frame are over the last \`window\` seconds of virtual time, from one merged histogram (0.1 % error),
  never averages of percentiles.
- Fields may be added within a version: ignore what you do not know. The server ignores nothing: a command with an
  unknown field is an error.
- A message over 64 KiB closes the connection with code 1009. More than 100 messages a second get \`tooMany\`. The server
  pings; a connection that does not answer is closed. When the server stops it closes with code 1001.
- A browser page from another origin is refused (HTTP 403), a wrong token too (HTTP 401).

## Over HTTP

Answers are JSON unless said. A refusal has a status of 4xx or 5xx and \`{"error": "a sentence"}\`.

${routeTable()}

\`GET /api/openapi.json\` gives the same with all schemas, as OpenAPI 3.1. The body of \`POST /api/runs\` has \`preset\` (a
name) or \`scenario\` (YAML or JSON text), and maybe \`overrides\` (options laid over it, such as
\`["run.warmUpSeconds=60"]\`), \`name\`, \`seed\`, \`speed\`, \`start\`. Figures of a summary are about the window that the scenario
measures; its \`details\` say which. The body of a command is what a client would send over the stream.`

const BINARY = `## The binary form

A connection opened with \`?encoding=binary\` gets every message as one binary WebSocket message that holds one
[MessagePack](https://msgpack.org) value: the same names, the same values, about two thirds of the bytes of the text.
Commands are sent as text as ever. Any MessagePack reader will do; these are the first bytes that a message uses:

| First byte | What follows | Value |
| --- | --- | --- |
| \`80\` to \`8f\` | pairs of a name (a string) and a value; the low 4 bits count them | object |
| \`de\`, \`df\` | count as uint16 or uint32, then the pairs | object |
| \`90\` to \`9f\` | values; the low 4 bits count them | array |
| \`dc\`, \`dd\` | count as uint16 or uint32, then the values | array |
| \`a0\` to \`bf\` | UTF-8; the low 5 bits count the bytes | string |
| \`d9\`, \`da\`, \`db\` | count of bytes as uint8, uint16 or uint32, then UTF-8 | string |
| \`00\` to \`7f\`, \`e0\` to \`ff\` | nothing | 0 to 127, -32 to -1 |
| \`cc\`, \`cd\`, \`ce\`, \`cf\` | uint8, uint16, uint32, uint64 | whole number |
| \`d0\`, \`d1\`, \`d2\`, \`d3\` | int8, int16, int32, int64 | whole number |
| \`cb\` | IEEE 754 binary64 | number |
| \`c0\`, \`c2\`, \`c3\` | nothing | null, false, true |

All numbers are big-endian.`

const COMMAND_RULES = `Every command has \`type\`, an \`id\` of at most 64 characters chosen by the client, and may have \`run\`, the run it is for
(the one this connection watches when absent). Example: \`{"type":"rate","id":"7","requestsPerSecond":40}\`, answered by
\`{"type":"ack","id":"7","run":"demo","time":12.6}\`.`
