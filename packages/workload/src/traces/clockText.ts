import { TICKS_PER_SECOND, type Time } from '@windtunnel/des'

/** Days from 1970-01-01 to a date of the Gregorian calendar. */
function days(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year
  const era = Math.floor(y / 400)
  const ofEra = y - era * 400
  const ofYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  return era * 146097 + ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear - 719468
}

const two = (text: string, at: number): number => (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48

const PATTERN = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.(\d{1,12}))?\s*(Z|[+-]\d\d:?\d\d)?$/

/**
 * Reads "2023-11-16 18:17:03.9799600", with T or a space, up to 12 fraction digits, and a zone ("Z", "+00:00") or none: none
 * means UTC. Writes the time since 1970-01-01 UTC; false when the text is not such a time.
 */
export function readClock(text: string, into: Time): boolean {
  const match = PATTERN.exec(text)
  if (match === null) return false
  const month = two(text, 5)
  const day = two(text, 8)
  const hour = two(text, 11)
  const minute = two(text, 14)
  const second = two(text, 17)
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60) return false
  const year = two(text, 0) * 100 + two(text, 2)
  into.seconds = days(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - zoneSeconds(match[3])
  const fraction = match[2]
  into.ticks = fraction === undefined ? 0 : Math.round(Number(`0.${fraction}`) * TICKS_PER_SECOND)
  if (into.ticks >= TICKS_PER_SECOND) {
    into.seconds += 1
    into.ticks = 0
  }
  return true
}

function zoneSeconds(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z') return 0
  const minutes = two(zone, 1) * 60 + two(zone, zone.length - 2)
  return (zone[0] === '-' ? -60 : 60) * minutes
}

/** Writes `count` units of 1/`perSecond` second: whole seconds apart, so that nanoseconds of a long trace stay exact. */
export function setUnits(into: Time, count: number, perSecond: number): void {
  const seconds = Math.floor(count / perSecond)
  into.seconds = seconds
  into.ticks = Math.round(((count - seconds * perSecond) / perSecond) * TICKS_PER_SECOND)
  if (into.ticks >= TICKS_PER_SECOND) {
    into.seconds += 1
    into.ticks = 0
  }
}
