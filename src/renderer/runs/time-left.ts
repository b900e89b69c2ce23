import { formatDuration } from '../../lib/format/time.ts'

/** An estimate of what is left, which is not known to the millisecond: `under 1 s`, `14 s`. */
export function formatTimeLeft(seconds: number): string {
  return seconds < 1 ? 'under 1 s' : formatDuration(seconds * 1000)
}
