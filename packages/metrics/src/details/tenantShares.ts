import type { RequestTimeline } from '../timeline/requestTimeline.ts'
import { jainIndex } from './jain.ts'
import type { Fairness } from './runDetails.ts'

interface Account {
  asked: number
  served: number
}

/** Tokens asked for and served by tenant; its memory grows with the tenants. */
export class TenantShares {
  readonly #accounts = new Map<number, Account>()

  arrived(tenant: number, tokens: number): void {
    this.#of(tenant).asked += tokens
  }

  /** A completed request was served its prompt and its output; any other what was delivered. */
  ended({ tenant, ending, inputTokens, outputTokens }: RequestTimeline): void {
    this.#of(tenant).served += outputTokens + (ending === 'completed' ? inputTokens : 0)
  }

  fairness(): Fairness {
    const accounts = [...this.#accounts.values()]
    const servedTokens = jainIndex(accounts.map(({ served }) => served))
    const servedShare = jainIndex(accounts.map(({ asked, served }) => (asked > 0 ? served / asked : 0)))
    return {
      tenants: accounts.length,
      ...(servedTokens === undefined ? {} : { servedTokens }),
      ...(servedShare === undefined ? {} : { servedShare }),
    }
  }

  #of(tenant: number): Account {
    const known = this.#accounts.get(tenant)
    if (known !== undefined) return known
    const account = { asked: 0, served: 0 }
    this.#accounts.set(tenant, account)
    return account
  }
}
