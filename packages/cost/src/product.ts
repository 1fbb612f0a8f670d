/** Product of the axis lengths of a shape: the number of chips, elements ... in it. 1 for no axes. */
export const product = (shape: readonly number[]): number => shape.reduce((all, axis) => all * axis, 1)
