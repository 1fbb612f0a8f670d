export { calibrated } from './calibrated.ts'
export { linear } from './linear.ts'
export { measured } from './measured.ts'
export { roofline } from './roofline.ts'
