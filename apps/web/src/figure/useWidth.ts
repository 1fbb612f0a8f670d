import { type RefObject, useLayoutEffect, useState } from 'react'

/** The width of an element in pixels, followed as it changes. */
export const useWidth = (place: RefObject<HTMLElement | null>): number => {
  const [width, setWidth] = useState(420)
  useLayoutEffect(() => {
    const element = place.current
    if (element === null) return
    setWidth(element.clientWidth)
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [place])
  return width
}
