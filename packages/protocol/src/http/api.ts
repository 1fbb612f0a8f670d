import { Schema } from 'effect'
import * as HttpApi from 'effect/http-api/HttpApi'
import * as HttpApiEndpoint from 'effect/http-api/HttpApiEndpoint'
import * as HttpApiGroup from 'effect/http-api/HttpApiGroup'
import * as HttpApiSchema from 'effect/http-api/HttpApiSchema'
import * as OpenApi from 'effect/http-api/OpenApi'
import { ClientMessage } from '../command.ts'
import { Frame } from '../frame.ts'
import { RunEvent } from '../runEvent.ts'
import { RunLog } from '../runLog.ts'
import { RunSummary } from '../runSummary.ts'
import { Ack, RunEntry } from '../serverMessage.ts'
import { PROTOCOL_VERSION } from '../version.ts'
import {
  Deleted,
  Health,
  KeptComparison,
  KeptDescription,
  KeptExport,
  KeptRun,
  Refusal,
  ReopenRequest,
  RunDescription,
  RunOpened,
  RunRequest,
} from './bodies.ts'

const run = { params: { run: Schema.String } }
const kept = { params: { id: Schema.String } }
const wrong = Refusal.pipe(HttpApiSchema.status(400))
const tooLarge = Refusal.pipe(HttpApiSchema.status(413))
const conflict = Refusal.pipe(HttpApiSchema.status(409))
const missing = Refusal.pipe(HttpApiSchema.status(404))
/** The run, or the store, does not answer. */
const silent = Refusal.pipe(HttpApiSchema.status(503))
const gone = [missing, silent] as const
const opened = RunOpened.pipe(HttpApiSchema.status(201))
const text = (contentType: string) => Schema.String.pipe(HttpApiSchema.asText({ contentType }))
const prometheus = text('text/plain; version=0.0.4; charset=utf-8')

const says = (summary: string) => OpenApi.annotations({ summary })

const ServerGroup = HttpApiGroup.make('server')
  .add(
    HttpApiEndpoint.get('health', '/api/health', { success: Health }).annotateMerge(
      says('Whether the server lives, its protocol, and how many runs and viewers it has.'),
    ),
    HttpApiEndpoint.get('metrics', '/metrics', { success: prometheus }).annotateMerge(
      says("Prometheus text: the first run's fleet, and the server itself."),
    ),
  )
  .annotateMerge(OpenApi.annotations({ description: 'The server itself.' }))

const RunsGroup = HttpApiGroup.make('runs')
  .add(
    HttpApiEndpoint.get('list', '/api/runs', { success: Schema.Array(RunEntry) }).annotateMerge(
      says('The runs that live.'),
    ),
    HttpApiEndpoint.post('open', '/api/runs', {
      payload: RunRequest,
      success: opened,
      error: [wrong, tooLarge],
    }).annotateMerge(says('Opens a run from a preset or a scenario.')),
    HttpApiEndpoint.get('describe', '/api/runs/:run', {
      ...run,
      success: RunDescription,
      error: missing,
    }).annotateMerge(says('A run, its scenario and its latest frame.')),
    HttpApiEndpoint.get('summary', '/api/runs/:run/summary', {
      ...run,
      success: RunSummary,
      error: gone,
    }).annotateMerge(says('The JSON document of the run so far.')),
    HttpApiEndpoint.get('log', '/api/runs/:run/log', { ...run, success: RunLog, error: gone }).annotateMerge(
      says('Seed and commands with their virtual times: with the scenario they give the run again.'),
    ),
    HttpApiEndpoint.get('metrics', '/api/runs/:run/metrics', {
      ...run,
      success: prometheus,
      error: gone,
    }).annotateMerge(says("The fleet in Prometheus text, under vLLM's names.")),
    HttpApiEndpoint.post('command', '/api/runs/:run/commands', {
      ...run,
      payload: ClientMessage,
      success: Ack,
      error: [wrong, tooLarge, conflict, ...gone],
    }).annotateMerge(
      says(
        'Does what a command says, as over the stream; answers when it has taken effect, 409 when the run refuses it.',
      ),
    ),
    HttpApiEndpoint.delete('close', '/api/runs/:run', { ...run, success: Deleted, error: gone }).annotateMerge(
      says('Takes a run away; what is kept of it stays.'),
    ),
  )
  .annotateMerge(OpenApi.annotations({ description: 'Runs that live.' }))

const KeptGroup = HttpApiGroup.make('kept')
  .add(
    HttpApiEndpoint.get('list', '/api/kept', { success: Schema.Array(KeptRun), error: gone }).annotateMerge(
      says('Runs that were kept, the latest first.'),
    ),
    HttpApiEndpoint.get('describe', '/api/kept/:id', { ...kept, success: KeptDescription, error: gone }).annotateMerge(
      says('A kept run: scenario, seed and commands, summary.'),
    ),
    HttpApiEndpoint.get('frames', '/api/kept/:id/frames', {
      ...kept,
      success: Schema.Array(Frame),
      error: gone,
    }).annotateMerge(says('Its series: frames, one a second of wall time, without replicas.')),
    HttpApiEndpoint.get('series', '/api/kept/:id/series.csv', {
      ...kept,
      success: text('text/csv'),
      error: gone,
    }).annotateMerge(
      says('Its series as CSV: one line a frame, seconds and SI units, empty where there is no figure.'),
    ),
    HttpApiEndpoint.get('events', '/api/kept/:id/events', {
      ...kept,
      success: Schema.Array(RunEvent),
      error: gone,
    }).annotateMerge(says('What people changed and what the fleet ran into, oldest first.')),
    HttpApiEndpoint.get('export', '/api/kept/:id/export', { ...kept, success: KeptExport, error: gone }).annotateMerge(
      says('Everything that is kept of it in one document.'),
    ),
    HttpApiEndpoint.get('compare', '/api/kept/:id/compare/:other', {
      params: { id: Schema.String, other: Schema.String },
      success: KeptComparison,
      error: gone,
    }).annotateMerge(says('How two kept runs differ: settings, and figures where both have a summary.')),
    HttpApiEndpoint.post('reopen', '/api/kept/:id/reopen', {
      ...kept,
      payload: ReopenRequest,
      success: opened,
      error: [wrong, tooLarge, ...gone],
    }).annotateMerge(
      says(
        'Opens it again as a run that lives: its commands take effect at their virtual times until a viewer steers.',
      ),
    ),
    HttpApiEndpoint.delete('forget', '/api/kept/:id', { ...kept, success: Deleted, error: gone }).annotateMerge(
      says('Forgets a kept run.'),
    ),
  )
  .annotateMerge(OpenApi.annotations({ description: 'Runs in the store.' }))

/** The HTTP API: the server answers it, the OpenAPI document describes it, `HttpApiClient` calls it. */
export const WindtunnelApi = HttpApi.make('windtunnel')
  .add(ServerGroup, RunsGroup, KeptGroup)
  .annotateMerge(
    OpenApi.annotations({
      title: 'Windtunnel live server',
      version: String(PROTOCOL_VERSION),
      description: 'Runs of a simulated LLM serving fleet. Live frames come over a WebSocket; see docs/protocol.md.',
      license: { name: 'MIT' },
    }),
  )
