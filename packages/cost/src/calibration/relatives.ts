/**
 * Whose fitted efficiencies stand in for an accelerator that has none of its own: the same chip on another board, else the
 * nearest of its maker's generation, else the nearest in bandwidth and compute.
 */
export const relatives: Readonly<Record<string, string>> = {
  'a100-sxm-40gb': 'a100-sxm-80gb',
  'a100-pcie-80gb': 'a100-sxm-80gb',
  'rtx-a6000': 'l40s',
  a40: 'l40s',
  'v100-sxm': 'a100-sxm-80gb',
  'h100-pcie': 'h100-sxm',
  mi300x: 'h200-sxm',
  mi325x: 'h200-sxm',
  mi350x: 'b200-sxm',
  mi355x: 'b200-sxm',
}

/** What to take for a kernel that was not measured on one of the calibrated accelerators. */
export const kernelRelatives: Readonly<Record<string, string>> = {
  h20: 'h200-sxm',
  h800: 'h100-sxm',
  gb200: 'b200-sxm',
  gb300: 'b300-sxm',
  'rtx-4090': 'l40s',
}
