import { writeFileSync } from 'node:fs'
import { calculatorsDocument } from '../packages/calculators/src/reference/document.ts'

/** Writes docs/calculators.md. Run `npx node --conditions=@windtunnel/source scripts/calculatorTable.ts` after a change of the registry. */
writeFileSync(new URL('../docs/calculators.md', import.meta.url), calculatorsDocument())
