import { invalidField } from '../../contract/errors.ts'
import { type Cron, countTimes, nextTime, parseCron } from '../../lib/calendar/cron.ts'
import { messageOf } from '../../lib/message-of.ts'

/** Times of one hour. */
const mostAnHour = 4

/** @throws ApiError validation_error for a calendar that cannot be followed */
export function requireCalendar(text: string, timeZone: string, now: string): string {
  const cron = read(text)
  if (cron.minutes.length > mostAnHour)
    throw invalidField(['body', 'cron'], `"${text}" comes ${cron.minutes.length} times an hour; at most ${mostAnHour} are possible`)
  let next: number | null
  try {
    next = nextTime(cron, timeZone, Date.parse(now))
  } catch {
    throw invalidField(['body', 'time_zone'], `"${timeZone}" is not the name of a time zone, such as "Europe/Berlin" or "UTC"`)
  }
  if (next === null) throw invalidField(['body', 'cron'], `"${text}" never comes`)
  return new Date(next).toISOString()
}

/** Of a calendar that was checked: the first time after `now`, so that however many were missed make one run. */
export function nextOf(text: string, timeZone: string, now: string): string | null {
  const next = nextTime(parseCron(text), timeZone, Date.parse(now))
  return next === null ? null : new Date(next).toISOString()
}

/** An occurrence that begins later than so was due while the service did not run or the machine slept. */
const lateMs = 60_000

/** How many times of a calendar that was checked an occurrence makes up for; 0 where it began in time. */
export function missedTimes(text: string, timeZone: string, dueAt: string, createdAt: string): number {
  const [due, created] = [Date.parse(dueAt), Date.parse(createdAt)]
  return created - due < lateMs ? 0 : countTimes(parseCron(text), timeZone, due, created)
}

function read(text: string): Cron {
  try {
    return parseCron(text)
  } catch (error) {
    throw invalidField(['body', 'cron'], messageOf(error))
  }
}
