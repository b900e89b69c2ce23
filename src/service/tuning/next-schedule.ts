import type { NewTuneMonitor } from '../../contract/tuning/monitors.schemas.ts'

const hourMs = 3_600_000
const periods = { hour: hourMs, day: 24 * hourMs, week: 7 * 24 * hourMs } as const

/**
 * The first time of a schedule after `now`, so that however many were missed make one run. UTC, in which every day has 24 hours.
 * @param anchor when the monitor was created, RFC 3339
 */
export function nextSchedule(anchor: string, schedule: NonNullable<NewTuneMonitor['schedule']>, now: string): string {
  const [from, at, period] = [Date.parse(anchor), Date.parse(now), periods[schedule]]
  // Negative where a clock that was ahead at the start has been corrected.
  const passed = Math.floor((at - from) / period)
  return new Date(from + (passed + 1) * period).toISOString()
}

/** Calendar month, UTC, e.g. `2026-11`. */
export function monthOf(timestamp: string): string {
  return timestamp.slice(0, 7)
}
