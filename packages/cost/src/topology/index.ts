export * from './links.ts'
export * from './pointToPoint.ts'
export * from './torus.ts'
export * from './wraparound.ts'
