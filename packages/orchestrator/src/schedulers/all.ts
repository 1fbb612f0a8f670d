export { fcfs } from './fcfs.ts'
export { priority } from './priority.ts'
export { shortestFirst } from './shortestFirst.ts'
