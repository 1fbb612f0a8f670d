import * as all from './all.ts'
import type { Family } from './family.ts'

/** The families by the `model_type` that their files state. */
export const familyByModelType: ReadonlyMap<string, Family> = new Map(
  Object.values(all).flatMap((family) => family.modelTypes.map((modelType) => [modelType, family] as const)),
)

export const modelTypes: readonly string[] = [...familyByModelType.keys()].sort()
