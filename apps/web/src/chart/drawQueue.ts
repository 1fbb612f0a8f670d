/** Milliseconds of one animation frame that drawing may take; what is left is drawn in the next. */
const budgetMilliseconds = 6

const waiting = new Set<() => void>()
let scheduled = false

const drawSome = (): void => {
  const end = performance.now() + budgetMilliseconds
  for (const draw of waiting) {
    waiting.delete(draw)
    draw()
    if (performance.now() >= end) break
  }
  scheduled = waiting.size > 0
  if (scheduled) requestAnimationFrame(drawSome)
}

/**
 * Draws in the next animation frames: every chart once however often it was asked for, and only so many in one frame that
 * the page stays smooth.
 */
export const drawSoon = (draw: () => void): void => {
  waiting.add(draw)
  if (scheduled) return
  scheduled = true
  requestAnimationFrame(drawSome)
}

export const forgetDrawing = (draw: () => void): void => {
  waiting.delete(draw)
}
