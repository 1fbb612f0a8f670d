import { expect, it } from 'vitest'
import { SilentReader } from '../../src/timeline/ledgerReader.ts'
import { RequestLedger } from '../../src/timeline/requestLedger.ts'
import type { RequestTimeline } from '../../src/timeline/requestTimeline.ts'

it('the ledger keeps the timeline of every live request while it makes room for many more', () => {
  const requests = 120_000
  let wrong = 0
  let ended = 0
  class Checker extends SilentReader {
    override ended({ request, arrival, inputTokens, admitted, replica, cachedTokens }: RequestTimeline): void {
      ended += 1
      const taken = request % 3 === 0
      if (arrival !== request / 8 || inputTokens !== 1 + (request % 977)) wrong += 1
      if (admitted !== (taken ? request : undefined)) wrong += 1
      if (replica !== (taken ? request % 5 : undefined) || cachedTokens !== (taken ? 16 : 0)) wrong += 1
    }
  }
  const ledger = new RequestLedger([new Checker()])
  for (let request = 0; request < requests; request++) {
    ledger.arrived(request, request / 8, 1 + (request % 977), 1, 0, 0)
    if (request % 3 === 0) ledger.admitted(request, request, request % 5, 16)
  }
  expect(ledger.live).toBe(requests)
  for (let request = 0; request < requests; request++) ledger.ended(request, requests, 'completed', 1)
  expect([ended, wrong, ledger.live]).toEqual([requests, 0, 0])
})
