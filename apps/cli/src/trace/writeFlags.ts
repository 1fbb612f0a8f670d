import * as Flag from 'effect/cli/Flag'

/** Formats that can be written. */
export const toFlag = Flag.Literals('to', ['windtunnelCsv', 'windtunnelJsonl', 'mooncake', 'vidur']).pipe(
  Flag.withDescription('Format to write.'),
  Flag.withDefault('windtunnelJsonl' as const),
)

export const forceFlag = Flag.Boolean('force').pipe(
  Flag.withDescription('Overwrite a file that is there already.'),
  Flag.withDefault(false),
)

export interface WriteChoices {
  readonly out: string
  readonly to: 'windtunnelCsv' | 'windtunnelJsonl' | 'mooncake' | 'vidur'
  readonly force: boolean
}
