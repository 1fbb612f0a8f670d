import { Schema } from 'effect'
import { PROTOCOL_VERSION } from '../version.ts'
import { Refusal } from './bodies.ts'
import { ROUTES, type Route } from './routes.ts'

type Json = Record<string, unknown>

/** The HTTP API as an OpenAPI 3.1 document, made from the routes and their schemas. */
export function openApiDocument(): Json {
  const schemas: Json = {}
  const shape = (schema: Schema.Top): unknown => {
    const { schema: own, definitions } = Schema.toJsonSchemaDocument(schema)
    Object.assign(schemas, definitions)
    return own
  }
  const paths: Record<string, Json> = {}
  for (const route of ROUTES) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route, shape) }
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Windtunnel live server',
      version: String(PROTOCOL_VERSION),
      description: 'Runs of a simulated LLM serving fleet. Live frames come over a WebSocket; see docs/protocol.md.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    security: [{}, { token: [] }],
    paths,
    components: { schemas, securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  }
  return JSON.parse(JSON.stringify(document).replaceAll('"#/$defs/', '"#/components/schemas/'))
}

function operation(route: Route, shape: (schema: Schema.Top) => unknown): Json {
  const { method, path, sentence, body, status, answer } = route
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const json = (schema: Schema.Top): Json => ({ 'application/json': { schema: shape(schema) } })
  const text = { 'text/plain': { schema: { type: 'string' } } }
  return {
    operationId: nameOf(method, path),
    summary: sentence,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: true, content: json(body) } }),
    responses: {
      [status]: { description: sentence, content: answer === undefined ? text : json(answer) },
      '4XX': { description: 'Refused, with the reason.', content: json(Refusal) },
    },
  }
}

/** get /api/runs/{run}/log is getRunsRunLog. */
function nameOf(method: string, path: string): string {
  const words = path.split('/').flatMap((part) => (part === '' || part === 'api' ? [] : [part.replaceAll(/\W/g, '')]))
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}
