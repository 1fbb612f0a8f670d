import * as OpenApi from 'effect/http-api/OpenApi'
import { WindtunnelApi } from './api.ts'

/** The parts of the document that this project reads itself. */
export interface OpenApiDocument {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId: string; summary?: string }>>>>
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}

const refusal = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
})

/** What the gate in front of every address may answer. */
const GATE = {
  401: refusal('The server asks for a token, and this is none or another.'),
  403: refusal('A page of this origin, or a server of this name, may not be used.'),
}

/** The operations of one address, with the answers of the gate. */
function gated(item: object): object {
  const operations = Object.entries(item as Record<string, { responses: object }>)
  return Object.fromEntries(
    operations.map(([method, operation]) => [method, { ...operation, responses: { ...operation.responses, ...GATE } }]),
  )
}

/** The HTTP API as an OpenAPI document, made from the same endpoints that the server answers. */
export function openApiDocument(): OpenApiDocument {
  const document = OpenApi.fromApi(WindtunnelApi)
  return JSON.parse(
    JSON.stringify({
      ...document,
      paths: Object.fromEntries(Object.entries(document.paths).map(([path, item]) => [path, gated(item)])),
      security: [{}, { token: [] }],
      components: {
        ...document.components,
        securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      },
    }),
    // An empty list at one address would say that it never needs the token.
    (key, value) => (key === 'security' && Array.isArray(value) && value.length === 0 ? undefined : value),
  )
}
