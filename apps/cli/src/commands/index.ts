import * as all from './all.ts'

/** Every verb of the command line. Adding one is a file and a line in all.ts. */
export const commands = Object.values(all)
