const stepsSeconds = [5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400]

/** Round offsets before the right end (which is "now"), two to four of them, as absolute times. */
export const timeSplits = (from: number, to: number): number[] => {
  const span = to - from
  const step = stepsSeconds.find((candidate) => span / candidate <= 4.5) ?? span / 3
  const splits: number[] = []
  for (let offset = 0; offset <= span * 0.96; offset += step) splits.unshift(to - offset)
  return splits
}

/** An offset from now in seconds: "now", "−30 s", "−10 min", "−2 h". */
export const timeText = (offsetSeconds: number): string => {
  const size = Math.round(-offsetSeconds)
  if (size <= 0) return 'now'
  if (size < 120) return `−${size} s`
  if (size < 7200) return `−${Math.round(size / 6) / 10} min`
  return `−${Math.round(size / 360) / 10} h`
}
