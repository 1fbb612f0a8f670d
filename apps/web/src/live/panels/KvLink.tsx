import type { LinkFrame } from '@windtunnel/protocol'
import { whole } from '../../format/quantity.ts'
import { linkText } from './Fleet.tsx'

/** The KV transfer from one pool to the next; dashes run along it while caches flow. */
export const KvLink = ({ link, playing }: { link: LinkFrame; playing: boolean }) => {
  const flowing = link.bytesPerSecond > 0 || link.active > 0
  const weight = 1 + 2.5 * Math.min(1, link.utilisation ?? (flowing ? 0.4 : 0))
  return (
    <figure
      className="kv-link"
      aria-label={`KV link ${link.from} to ${link.to}: ${linkText(link)}, ${link.active} under way`}
    >
      <svg viewBox="0 0 96 40" aria-hidden="true" preserveAspectRatio="none">
        {['M2 20 C36 20 44 5 94 5', 'M2 20 L94 20', 'M2 20 C36 20 44 35 94 35'].map((path) => (
          <g key={path}>
            <path d={path} className="rail" />
            <path
              d={path}
              className="flow"
              style={{
                strokeWidth: weight,
                opacity: flowing ? 1 : 0,
                animationPlayState: playing ? 'running' : 'paused',
              }}
            />
          </g>
        ))}
      </svg>
      <figcaption>
        <b>KV {linkText(link)}</b>
        <span>{whole(link.active)} under way</span>
      </figcaption>
    </figure>
  )
}
