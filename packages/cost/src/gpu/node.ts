import { requireCount, requirePositive } from '../costInputError.ts'

/**
 * What the GPUs of a node can send each other at once: `min(switches x ports x link, GPUs x egress)`, bytes/s, one
 * direction. Book ch. 12, G6 (8 H100: 3.6e12, though the switches could carry 6.4e12).
 */
export function switchedNodeBandwidth(of: {
  readonly switches: number
  readonly portsPerSwitch: number
  readonly portBytesPerSecond: number
  readonly gpus: number
  readonly gpuEgressBytesPerSecond: number
}): { readonly switchBytesPerSecond: number; readonly gpuBytesPerSecond: number; readonly bytesPerSecond: number } {
  const { switches, portsPerSwitch, portBytesPerSecond, gpus, gpuEgressBytesPerSecond } = of
  requireCount('switchedNodeBandwidth', { switches, portsPerSwitch, gpus })
  requirePositive('switchedNodeBandwidth', { portBytesPerSecond, gpuEgressBytesPerSecond })
  const switchBytesPerSecond = switches * portsPerSwitch * portBytesPerSecond
  const gpuBytesPerSecond = gpus * gpuEgressBytesPerSecond
  return {
    switchBytesPerSecond,
    gpuBytesPerSecond,
    bytesPerSecond: Math.min(switchBytesPerSecond, gpuBytesPerSecond),
  }
}

/** Both directions across the middle of a switched node: `N x egress`, bytes/s. Book ch. 12, G7. */
export function switchedBisection(gpus: number, gpuEgressBytesPerSecond: number): number {
  requireCount('switchedBisection', { gpus })
  requirePositive('switchedBisection', { gpuEgressBytesPerSecond })
  return gpus * gpuEgressBytesPerSecond
}

/**
 * What a node's network cables send out of it: `cables x Gb/s / 8`, bytes/s. Book ch. 12, G24 (8 x 400 Gb/s: 400e9) and
 * G25 (NVL72: 4 x 18 x 400 Gb/s: 3.6e12).
 */
export function networkEgress(cables: number, gigabitsPerSecond: number): number {
  requireCount('networkEgress', { cables })
  requirePositive('networkEgress', { gigabitsPerSecond })
  return (cables * gigabitsPerSecond * 1e9) / 8
}

/**
 * Bandwidths measured for an AllReduce: `algo = bytes/t` and `bus = 2 bytes (N-1)/(N t)`, bytes/s. Book ch. 12, G27. The
 * bus bandwidth compares with the egress of one GPU.
 */
export function measuredBandwidth(
  bytes: number,
  seconds: number,
  devices: number,
): { readonly algorithmBytesPerSecond: number; readonly busBytesPerSecond: number } {
  requirePositive('measuredBandwidth', { bytes, seconds })
  requireCount('measuredBandwidth', { devices })
  const algorithmBytesPerSecond = bytes / seconds
  return { algorithmBytesPerSecond, busBytesPerSecond: (2 * algorithmBytesPerSecond * (devices - 1)) / devices }
}
