import * as OpenApi from 'effect/http-api/OpenApi'
import { WindtunnelApi } from './api.ts'

/** The parts of the document that this project reads itself. */
export interface OpenApiDocument {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId: string; summary?: string }>>>>
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}

/** The HTTP API as an OpenAPI document, made from the same endpoints that the server answers. */
export function openApiDocument(): OpenApiDocument {
  const document = OpenApi.fromApi(WindtunnelApi)
  return JSON.parse(
    JSON.stringify({
      ...document,
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
