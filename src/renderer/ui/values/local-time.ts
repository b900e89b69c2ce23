import { formatRelativeTime } from '../../../lib/format/time.ts'

const day = 24 * 60 * 60_000

/** Where and how the reader keeps time; absent: as the browser is set. */
export interface ReaderPlace {
  readonly locale?: string
  readonly timeZone?: string
}

/** A moment in prose, in the reader's own form and time zone. Exports and records keep UTC (`lib/format/time.ts`). */
export function formatLocalTime(at: string, { locale, timeZone }: ReaderPlace = {}): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long', timeZone }).format(new Date(at))
}

/** The distance from `now` (milliseconds since 1970) or, after 30 days, the reader's date. */
export function formatLocalDistance(at: string, now: number, { locale, timeZone }: ReaderPlace = {}): string {
  if (!(Math.abs(now - Date.parse(at)) > 30 * day)) return formatRelativeTime(at, now)
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone }).format(new Date(at))
}
