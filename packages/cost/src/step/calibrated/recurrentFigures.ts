/** Launch of a recurrent mixer's kernels, and the share of bandwidth and of FLOP/s they reach: assumed, not measured. */
export const RECURRENT = { fixedSeconds: 1.5e-5, memoryEfficiency: 0.7, computeEfficiency: 0.2 }
