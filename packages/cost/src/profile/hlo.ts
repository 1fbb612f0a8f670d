/** A line of compiled HLO that cannot be read, or has no expected time. */
export class HloError extends Error {
  readonly _tag = 'HloError'

  constructor(message: string) {
    super(message)
    this.name = 'HloError'
  }
}

/** An array as HLO writes it: `bf16[8,1024,8192]{2,1,0:T(8,128)(2,1)}`. */
export interface HloArray {
  readonly dtype: string
  readonly shape: readonly number[]
  /** The outer tile, `[8, 128]`; undefined where the layout gives none. */
  readonly tile: readonly number[] | undefined
}

/** One operator of a profile. Arrays are local to a device. */
export interface HloOperator {
  readonly name: string
  /** `fusion`, `convolution`, `dot`, `all-gather`, `reduce-scatter` ... as written. */
  readonly operation: string
  readonly result: HloArray
  readonly operands: readonly HloArray[]
  /** Devices that work together: the width of `replica_groups`; undefined where the line names none. */
  readonly groupSize: number | undefined
}

const bytesOfDtype: Readonly<Record<string, number>> = {
  pred: 1,
  s4: 0.5,
  u4: 0.5,
  s8: 1,
  u8: 1,
  f8e4m3fn: 1,
  f8e5m2: 1,
  s16: 2,
  u16: 2,
  f16: 2,
  bf16: 2,
  s32: 4,
  u32: 4,
  f32: 4,
  s64: 8,
  u64: 8,
  f64: 8,
}

/** Bytes per element of an HLO dtype. @throws HloError for an unknown one */
export function hloBytesPerElement(dtype: string): number {
  const bytes = bytesOfDtype[dtype]
  if (bytes !== undefined) return bytes
  throw new HloError(`unknown HLO dtype "${dtype}"; known: ${Object.keys(bytesOfDtype).join(', ')}`)
}

const arrayPattern = /([a-z][a-z0-9]*)\[([0-9,]*)\](?:\{([^{}]*)\})?/g

function readArrays(text: string): HloArray[] {
  return [...text.matchAll(arrayPattern)]
    .filter(([, dtype]) => dtype! in bytesOfDtype)
    .map(([, dtype, dims, layout]) => {
      const tile = /T\(([0-9,]+)\)/.exec(layout ?? '')?.[1]
      return {
        dtype: dtype!,
        shape: dims === '' ? [] : dims!.split(',').map(Number),
        tile: tile?.split(',').map(Number),
      }
    })
}

/** The width of `replica_groups={{0,16,32,48},{..}}` or of the iota form `[4,2]<=[8]`. */
function groupSizeOf(line: string): number | undefined {
  const listed = /replica_groups=\{\{([0-9,\s]*)\}/.exec(line)
  if (listed !== null) return listed[1]!.split(',').length
  const iota = /replica_groups=\[([0-9]+),([0-9]+)\]/.exec(line)
  return iota === null ? undefined : Number(iota[2])
}

/**
 * Reads one operator of compiled HLO: `%name = bf16[..]{..} fusion(bf16[..]{..} %a, bf16[..]{..} %b), ...`. Book ch. 9.
 * @throws HloError for a line that is none
 */
export function parseHlo(line: string): HloOperator {
  const match = /^\s*(?:ROOT\s+)?%?([\w.-]+)\s*=\s*(.*?)\s([a-z][a-z0-9-]*)\((.*)$/s.exec(line)
  const [, name, left, operation, rest] = match ?? []
  const result = left === undefined ? undefined : readArrays(left)[0]
  if (name === undefined || operation === undefined || rest === undefined || result === undefined) {
    throw new HloError(
      `no HLO operator: expected "%name = bf16[..] operation(bf16[..] %a, ..)", found "${line.trim()}"`,
    )
  }
  const inside = rest.split(/\)\s*(?:,\s*[a-z_]+=|$)/)[0]!
  return { name, operation, result, operands: readArrays(inside), groupSize: groupSizeOf(line) }
}
