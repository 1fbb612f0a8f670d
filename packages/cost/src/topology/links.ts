import { requireCount, requirePositive } from '../costInputError.ts'

/**
 * Bandwidth of one chip along one axis, bytes/s: both directions where the axis wraps, one where it does not. Book
 * ch. 2, H9.
 * @param linkBytesPerSecond one direction of one link
 */
export function axisBytesPerSecond(linkBytesPerSecond: number, wraps: boolean): number {
  requirePositive('axisBytesPerSecond', { linkBytesPerSecond })
  return wraps ? 2 * linkBytesPerSecond : linkBytesPerSecond
}

/**
 * Bytes per second that a chip can send over all its links: `links x one-way`. Book ch. 2, H9 (v5p: 6 x 90e9); ch. 12,
 * G5 (H100: 18 x 25e9).
 */
export function egressBytesPerSecond(links: number, linkBytesPerSecond: number): number {
  requireCount('egressBytesPerSecond', { links })
  requirePositive('egressBytesPerSecond', { linkBytesPerSecond })
  return links * linkBytesPerSecond
}
