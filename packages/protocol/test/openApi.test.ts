import { expect, it } from 'vitest'
import { openApiDocument } from '../src/http/openApi.ts'
import { routesOf } from '../src/http/routes.ts'

it('describes every address with a sentence, and every reference leads to a schema', () => {
  const document = openApiDocument()
  expect(document.openapi).toBe('3.1.0')
  expect(routesOf().map(({ method, path }) => `${method} ${path}`)).toContain('POST /api/kept/{id}/reopen')
  for (const { sentence, path } of routesOf()) expect(sentence, path).toMatch(/\.$/)
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)]
  expect(references.length).toBeGreaterThan(20)
  for (const [, name] of references) expect(document.components.schemas).toHaveProperty([name!])
  const names = Object.values(document.paths).flatMap((methods) => Object.values(methods).map((one) => one.operationId))
  expect(new Set(names).size).toBe(names.length)
  expect(names).toContain('runs.log')
})
