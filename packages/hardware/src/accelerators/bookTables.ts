import { from } from '../quantity.ts'

/** Tables of "How To Scale Your Model", by chapter. */
export const chapter2 = from('How To Scale Your Model, chapter 2 (TPUs)')
export const chapter8 = from('How To Scale Your Model, chapter 8 (Serving LLaMA 3), prices of February 2025')
export const chapter9 = from('How To Scale Your Model, chapter 9 (Profiling)')
export const chapter12 = from('How To Scale Your Model, chapter 12 (GPUs)')

/** Chapter 2, "about 22 times the bandwidth of HBM". */
export const vmemBandwidth = (hbmBytesPerSecond: number) => chapter2.bytesPerSecond(22 * hbmBytesPerSecond)

/** Chapter 3: about a microsecond from chip to chip. */
export const iciHop = from('How To Scale Your Model, chapter 3 (Sharding)').seconds(1e-6)

/** Formula H12: vector registers of 8 x 128 elements of 4 bytes, per core. */
export const vectorRegisters = (count: number) => chapter2.bytes(count * 8 * 128 * 4)

/** Chapter 12: 4 subpartitions of 16,384 registers of 4 bytes in each SM since Volta. */
export const smRegisters = chapter12.bytes(4 * 16384 * 4)
