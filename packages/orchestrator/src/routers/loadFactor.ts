/** How unequal a hashing router may load replicas. */
export const loadFactor = {
  kind: 'number',
  integer: false,
  minimum: 1,
  maximum: 1e6,
  default: 1.25,
  sentence:
    'Most outstanding requests of one replica over the mean of all; where a key has no room there, the next replica on the ring takes it.',
} as const
