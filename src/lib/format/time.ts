import { formatNumber, noNumber } from './numbers.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/**
 * A length of time given in milliseconds, in its two largest units: `840 ms`, `1.2 s`, `42 s`, `2 min 5 s`, `3 h 12 min`,
 * `2 d 4 h`. Rounded before it is split, so that 59.9 s never reads as `60 s`.
 */
export function formatDuration(milliseconds: number | null): string {
  if (milliseconds === null || !Number.isFinite(milliseconds)) return noNumber
  if (milliseconds < 0) return `−${formatDuration(-milliseconds)}`
  if (Math.round(milliseconds) < second) return `${formatNumber(milliseconds)} ms`
  if (milliseconds < 9950) return `${formatNumber(milliseconds / second, 1)} s`
  const seconds = Math.round(milliseconds / second)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return pair(Math.floor(seconds / 60), 'min', seconds % 60, 's')
  const minutes = Math.round(seconds / 60)
  if (minutes < 24 * 60) return pair(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
  const hours = Math.round(minutes / 60)
  return pair(Math.floor(hours / 24), 'd', hours % 24, 'h')
}

/**
 * How long before or after `now` (milliseconds since 1970) a timestamp lies: `just now`, `5 minutes ago`, `in 3 hours`. After 30
 * days the date says more than the distance.
 */
export function formatRelativeTime(timestamp: string, now: number): string {
  const then = Date.parse(timestamp)
  if (!Number.isFinite(then) || !Number.isFinite(now)) return noNumber
  const distance = Math.abs(now - then)
  if (distance < 45 * second) return 'just now'
  if (distance > 30 * day) return formatTimestamp(timestamp).slice(0, 10)
  const amount = relativeAmount(distance)
  return then < now ? `${amount} ago` : `in ${amount}`
}

/** The exact time in UTC: `2026-11-20 09:30:00 UTC`. */
export function formatTimestamp(timestamp: string | null): string {
  const time = timestamp === null ? Number.NaN : Date.parse(timestamp)
  if (!Number.isFinite(time)) return noNumber
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

function pair(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`
}

function relativeAmount(distance: number): string {
  const minutes = Math.round(distance / minute)
  if (minutes < 60) return plural(Math.max(1, minutes), 'minute')
  const hours = Math.round(distance / hour)
  if (hours < 24) return plural(hours, 'hour')
  return plural(Math.round(distance / day), 'day')
}

function plural(count: number, unit: string): string {
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`
}
