import { cos } from '@windtunnel/des'
import { rate, seconds, share, withDefault } from '../parts/units.ts'
import { arrivalPart } from './part.ts'
import { PiecewiseRate } from './rateCurves.ts'
import { RenewalArrivals } from './renewal.ts'
import { exponentialSpacing } from './spacings.ts'

/** Straight lines that stand for one period of the cosine: its value is met within 6e-5. */
const LINES = 288

export const diurnal = arrivalPart({
  name: 'diurnal',
  sentence: 'Poisson arrivals whose rate follows a cosine: mean x (1 + swing x cos(2 pi (t - peak) / period)).',
  options: {
    requestsPerSecond: rate('Mean arrivals in a second over a period.'),
    swing: withDefault(share('How far the rate goes above and below the mean.'), 0.8),
    periodSeconds: withDefault(seconds('Length of a period.', { above: 0 }), 86400),
    peakSeconds: withDefault(seconds('Time of the first peak.'), 50400),
  },
  create: ({ requestsPerSecond, swing, periodSeconds, peakSeconds }, { stream }) => {
    const at = (line: number) =>
      requestsPerSecond * (1 + swing * cos(2 * Math.PI * (line / LINES - peakSeconds / periodSeconds)))
    const lines = Array.from({ length: LINES }, (_, i) => ({
      seconds: periodSeconds / LINES,
      from: Math.max(0, at(i)),
      to: Math.max(0, at(i + 1)),
    }))
    return new RenewalArrivals(exponentialSpacing(stream('gaps')), new PiecewiseRate(lines, 'repeat'))
  },
})
