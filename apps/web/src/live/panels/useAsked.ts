import { useEffect, useRef, useState } from 'react'

const forgottenAfterMilliseconds = 1500

/**
 * What a control shows: the value just asked for, until the run says the same or has not for a while, else what the run
 * says. `ask` shows a value at once and sends it after `pauseMilliseconds` without another.
 */
export const useAsked = <Value>(
  said: Value,
  same: (a: Value, b: Value) => boolean,
  send: (value: Value) => void,
): { shown: Value; ask: (value: Value, pauseMilliseconds: number) => void } => {
  const [asked, setAsked] = useState<{ value: Value } | undefined>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const agreed = asked !== undefined && same(asked.value, said)
  useEffect(() => {
    if (asked === undefined) return
    if (agreed) {
      setAsked(undefined)
      return
    }
    const forget = setTimeout(() => setAsked(undefined), forgottenAfterMilliseconds)
    return () => clearTimeout(forget)
  }, [asked, agreed])
  const ask = (value: Value, pauseMilliseconds: number) => {
    setAsked({ value })
    clearTimeout(timer.current)
    timer.current = setTimeout(() => send(value), pauseMilliseconds)
  }
  return { shown: asked === undefined ? said : asked.value, ask }
}
