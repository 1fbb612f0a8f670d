import { from } from '../quantity.ts'
import { defineLink } from './link.ts'

const book = from('How To Scale Your Model, chapter 12 (GPUs)')

export const nvlink3 = defineLink({
  name: 'nvlink-3',
  title: 'NVLink 3 (Ampere), one link',
  bytesPerSecond: book.bytesPerSecond(25e9),
})

export const nvlink4 = defineLink({
  name: 'nvlink-4',
  title: 'NVLink 4 (Hopper), one link',
  bytesPerSecond: book.bytesPerSecond(25e9),
  latencySeconds: from('MSCCL++ measurement over NVLink, H100').seconds(0.822e-6),
})

export const nvlink5 = defineLink({
  name: 'nvlink-5',
  title: 'NVLink 5 (Blackwell), one link',
  bytesPerSecond: book.bytesPerSecond(50e9),
})
