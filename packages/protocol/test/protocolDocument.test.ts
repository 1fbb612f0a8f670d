import { expect, it } from 'vitest'
import { protocolDocument } from '../src/document/protocolDocument.ts'

it('docs/protocol.md says what the schemas say (write it anew with vitest -u)', async () => {
  await expect(protocolDocument()).toMatchFileSnapshot('../../../docs/protocol.md')
})

it('every link in the document leads to a part of it', () => {
  const text = protocolDocument()
  const targets = new Set([...text.matchAll(/^### (\w+)$/gm)].map((match) => match[1]!.toLowerCase()))
  const links = [...text.matchAll(/\]\(#(\w+)\)/g)].map((match) => match[1]!)
  expect(links.filter((link) => !targets.has(link))).toEqual([])
})
