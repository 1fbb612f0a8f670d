import type { SyntheticTraffic } from '../sources/synthetic.ts'

/** Traffic read from another tool's description. */
export interface ImportedTraffic {
  readonly traffic: SyntheticTraffic
  /** Names by index, where the description has them. */
  readonly tenants: readonly string[]
  readonly serviceClasses: readonly string[]
  /** What the description says and the traffic does not do. */
  readonly remarks: readonly string[]
}

/** Indices of names in the order of their first appearance. */
export class NameIndices {
  readonly names: string[] = []

  of(name: string): number {
    const known = this.names.indexOf(name)
    return known >= 0 ? known : this.names.push(name) - 1
  }
}
