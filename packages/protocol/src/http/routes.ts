import * as HttpApi from 'effect/http-api/HttpApi'
import { WindtunnelApi } from './api.ts'
import { openApiDocument } from './openApi.ts'

/** One address of the HTTP API. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Parameters are in braces. */
  readonly path: string
  readonly sentence: string
}

/** The addresses in the order of the API, for the protocol document. */
export function routesOf(): Route[] {
  const { paths } = openApiDocument()
  const routes: Route[] = []
  HttpApi.reflect(WindtunnelApi, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint }) => {
      const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
      const sentence = paths[path]?.[endpoint.method.toLowerCase()]?.summary ?? ''
      routes.push({ method: endpoint.method as Route['method'], path, sentence })
    },
  })
  return routes
}
