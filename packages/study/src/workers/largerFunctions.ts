import * as nodeModule from 'node:module'
import { setFlagsFromString } from 'node:v8'

let isSet = false

/**
 * Lets V8 compile the engine into fewer and larger pieces of machine code, from now on and in all threads of the process. The
 * engine is many small functions that call each other some seventy times a request; a run of 100,000 requests or more takes a
 * fifth to a third less time (docs/performance.md), a short one as long as before, and no result changes. To be called when
 * the code of a run is loaded: V8 refuses what it has cached of code under another flag, so what is loaded already is kept first.
 */
export function compileLargerFunctions(): void {
  if (isSet) return
  isSet = true
  nodeModule.flushCompileCache?.()
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=3000')
}
