import { expect, it } from 'vitest'
import { openApiDocument } from '../src/http/openApi.ts'
import { ROUTES } from '../src/http/routes.ts'

it('describes every route, and every reference leads to a schema', () => {
  const document = openApiDocument() as {
    paths: Record<string, Record<string, { operationId: string }>>
    components: { schemas: Record<string, unknown> }
  }
  for (const { method, path } of ROUTES) expect(document.paths[path]).toHaveProperty(method.toLowerCase())
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)]
  expect(references.length).toBeGreaterThan(20)
  for (const [, name] of references) expect(document.components.schemas).toHaveProperty([name!])
  const names = Object.values(document.paths).flatMap((methods) => Object.values(methods).map((one) => one.operationId))
  expect(new Set(names).size).toBe(names.length)
  expect(names).toContain('getRunsRunLog')
})
