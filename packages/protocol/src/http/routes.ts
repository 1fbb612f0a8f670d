import { Schema } from 'effect'
import { Frame } from '../frame.ts'
import { RunSummary } from '../runSummary.ts'
import { RunEntry } from '../serverMessage.ts'
import { Deleted, Health, KeptDescription, KeptRun, RunDescription, RunLog, RunOpened, RunRequest } from './bodies.ts'

/** One address of the HTTP API; the document and the OpenAPI description are made from the list. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Parameters are in braces. */
  readonly path: string
  readonly sentence: string
  readonly body?: Schema.Top
  readonly status: number
  /** Schema of a JSON answer; absent for Prometheus text. */
  readonly answer?: Schema.Top
}

const get = (path: string, sentence: string, answer?: Schema.Top): Route => ({
  method: 'GET',
  path,
  sentence,
  status: 200,
  ...(answer === undefined ? {} : { answer }),
})

const remove = (path: string, sentence: string): Route => ({
  method: 'DELETE',
  path,
  sentence,
  status: 200,
  answer: Deleted,
})

export const ROUTES: readonly Route[] = [
  get('/api/health', 'Whether the server lives, its protocol, and how many runs and viewers it has.', Health),
  get('/api/runs', 'The runs that live.', Schema.Array(RunEntry)),
  {
    method: 'POST',
    path: '/api/runs',
    sentence: 'Opens a run from a preset or a scenario.',
    body: RunRequest,
    status: 201,
    answer: RunOpened,
  },
  get('/api/runs/{run}', 'A run, its scenario and its latest frame.', RunDescription),
  get('/api/runs/{run}/summary', 'The JSON document of the run so far.', RunSummary),
  get(
    '/api/runs/{run}/log',
    'Seed and commands with their virtual times: with the scenario they give the run again.',
    RunLog,
  ),
  get('/api/runs/{run}/metrics', "The fleet in Prometheus text, under vLLM's names."),
  remove('/api/runs/{run}', 'Takes a run away.'),
  get('/api/kept', 'Runs that were kept, the latest first.', Schema.Array(KeptRun)),
  get('/api/kept/{id}', 'A kept run: scenario, seed and commands, summary.', KeptDescription),
  get('/api/kept/{id}/frames', 'Its frames, one a second, without replicas.', Schema.Array(Frame)),
  remove('/api/kept/{id}', 'Forgets a kept run.'),
  get('/metrics', "Prometheus text: the first run's fleet, and the server itself."),
]
