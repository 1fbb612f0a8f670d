import { InputError } from './inputError.ts'

/** A token visits different experts, so no more than there are. Throws InputError. */
export function requireChosen(experts: number, topK: number, path = 'topK'): void {
  if (topK > experts) throw InputError.at(path, `expected at most the ${experts} experts of a layer; found ${topK}`)
}
