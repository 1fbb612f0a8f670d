export * from './formulas/evaluateFormula.ts'
export * from './formulas/index.ts'
export * from './rooflines/index.ts'
export * from './step/stepCost.ts'
