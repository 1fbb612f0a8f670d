import type { RequestTable } from '../requests.ts'
import type { RoutedRequest } from '../routers/index.ts'

/** A live request as routers see it. It reads the table when it is asked: most routers ask for little. */
export class LiveRequest implements RoutedRequest {
  slot = 0
  private readonly table: RequestTable

  constructor(table: RequestTable) {
    this.table = table
  }

  get id(): number {
    return this.table.id[this.slot]!
  }

  get inputTokens(): number {
    return this.table.inputTokens[this.slot]!
  }

  get session(): number {
    return this.table.session[this.slot]!
  }

  get tenant(): number {
    return this.table.tenant[this.slot]!
  }

  get serviceClass(): number {
    return this.table.serviceClass[this.slot]!
  }

  get prompt(): number {
    return this.table.prompt[this.slot]!
  }
}
