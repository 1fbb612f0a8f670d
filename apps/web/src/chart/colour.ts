import { onThemeChange } from '../shell/theme.ts'

/** Names of the colour tokens of style/tokens.css, without the dashes. */
export type ColourName =
  | 'ink'
  | 'dim'
  | 'faint'
  | 'line'
  | 'edge'
  | 'panel'
  | 'accent'
  | 'prefill'
  | 'decode'
  | 'transfer'
  | 'queue'
  | 'ok'
  | 'warn'
  | 'bad'
  | 'kv'
  | 'p50'
  | 'p90'
  | 'p99'

const resolved = new Map<string, string>()
onThemeChange(() => resolved.clear())
let probe: HTMLElement | undefined

/** The colour token as a canvas colour in the theme in force, cached until the theme changes. */
export const colour = (name: ColourName, alpha = 1): string => {
  const key = `${name}/${alpha}`
  const known = resolved.get(key)
  if (known !== undefined) return known
  if (probe === undefined) {
    probe = document.createElement('i')
    probe.hidden = true
    document.body.append(probe)
  }
  probe.style.color = alpha === 1 ? `var(--${name})` : `rgb(from var(--${name}) r g b / ${alpha})`
  const value = getComputedStyle(probe).color
  resolved.set(key, value)
  return value
}
