/** A calendar in the five fields of cron: which minutes, hours, days and months it names. */
export interface Cron {
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  readonly daysOfMonth: ReadonlySet<number>
  readonly months: ReadonlySet<number>
  /** 0 is Sunday. */
  readonly daysOfWeek: ReadonlySet<number>
  /** Both day fields are restricted, so that a day of either is meant, as in cron. */
  readonly isEitherDay: boolean
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

const fields = [
  { name: 'minute', from: 0, to: 59, names: [] },
  { name: 'hour', from: 0, to: 23, names: [] },
  { name: 'day of month', from: 1, to: 31, names: [] },
  { name: 'month', from: 1, to: 12, names: monthNames },
  { name: 'day of week', from: 0, to: 7, names: dayNames },
] as const

/** @throws RangeError that says which field is wrong */
export function parseCron(text: string): Cron {
  const parts = text.trim().split(/\s+/)
  if (parts.length !== fields.length)
    throw new RangeError(`"${text}" has ${parts.length} fields; give five: minute, hour, day of month, month, day of week`)
  const [minutes, hours, daysOfMonth, months, daysOfWeek] = fields.map((field, i) => valuesOf(parts[i] ?? '', field))
  if (!minutes || !hours || !daysOfMonth || !months || !daysOfWeek) throw new RangeError(`"${text}" is not a calendar`)
  return {
    minutes,
    hours,
    daysOfMonth: new Set(daysOfMonth),
    months: new Set(months),
    daysOfWeek: new Set(daysOfWeek.map(day => day % 7)),
    isEitherDay: !parts[2]?.startsWith('*') && !parts[4]?.startsWith('*'),
  }
}

function valuesOf(text: string, { name, from, to, names }: (typeof fields)[number]): number[] {
  const article = name === 'hour' ? 'an' : 'a'
  const wrong = (what: string) =>
    new RangeError(`"${what}" is not ${article} ${name}; give ${from} to ${to}, a list, a range or a step such as */2`)
  const numberOf = (word: string): number => {
    const place = (names as readonly string[]).indexOf(word.toLowerCase())
    const value = place === -1 ? (/^\d{1,2}$/.test(word) ? Number(word) : Number.NaN) : place + (from === 1 ? 1 : 0)
    if (!(value >= from && value <= to)) throw wrong(word)
    return value
  }
  const found = new Set<number>()
  for (const part of text.split(',')) {
    if (part === '') throw wrong(text)
    const [range = '', step, ...rest] = part.split('/')
    const every = step === undefined ? 1 : /^\d{1,2}$/.test(step) ? Number(step) : 0
    if (rest.length > 0 || every < 1) throw wrong(part)
    const [first = '', last, ...more] = range.split('-')
    if (more.length > 0 || first === '' || last === '') throw wrong(part)
    const low = range === '*' ? from : numberOf(first)
    const high = range === '*' ? (names === dayNames ? 6 : to) : last !== undefined ? numberOf(last) : step === undefined ? low : to
    if (low > high) throw wrong(part)
    for (let value = low; value <= high; value += every) found.add(value)
  }
  return [...found].toSorted((a, b) => a - b)
}

const dayMs = 86_400_000
/** The 29th of February comes at least every eight years. */
const mostDays = 8 * 366 + 1

/**
 * The first time of a calendar after `after`. A local time that the change to summer time leaves out is taken at the change; one that
 * comes twice is taken the first time.
 * @param timeZone IANA name
 * @returns milliseconds since 1970; null where no day ever comes, such as the 30th of February
 * @throws RangeError for an unknown time zone
 */
export function nextTime(cron: Cron, timeZone: string, after: number): number | null {
  const format = formatOf(timeZone)
  // The local date of `after`, and the one before it as well, since a zone may be set back over midnight.
  const first = localDay(format, after) - dayMs
  for (let day = 0; day < mostDays; day++) {
    const times = timesOn(cron, format, first + day * dayMs).filter(at => at > after)
    if (times.length > 0) return Math.min(...times)
  }
  return null
}

/** More than so many times of a calendar are not counted one by one. */
export const mostCounted = 10_000

/** How often a calendar came from `from` to `to`, both included and in milliseconds since 1970; `mostCounted` where it was more. */
export function countTimes(cron: Cron, timeZone: string, from: number, to: number): number {
  const format = formatOf(timeZone)
  const last = localDay(format, to)
  let count = 0
  for (let day = localDay(format, from) - dayMs; day <= last && count < mostCounted; day += dayMs)
    count += new Set(timesOn(cron, format, day).filter(at => at >= from && at <= to)).size
  return Math.min(count, mostCounted)
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
}

/** The local date of an instant, as the start of that day of UTC. */
const localDay = (format: Intl.DateTimeFormat, at: number): number => Math.floor(asUtc(format, at) / dayMs) * dayMs

/** Instants of a local date, given as a day of UTC. */
function timesOn({ minutes, hours, ...days }: Cron, format: Intl.DateTimeFormat, day: number): number[] {
  if (!isOn(days, new Date(day))) return []
  const [start, end] = [toInstant(format, day), toInstant(format, day + dayMs)]
  const isPlain = end - start === dayMs
  return hours.flatMap(hour =>
    minutes.map(minute => {
      const ofDay = (hour * 60 + minute) * 60_000
      return isPlain ? start + ofDay : toInstant(format, day + ofDay)
    }),
  )
}

function isOn({ daysOfMonth, months, daysOfWeek, isEitherDay }: Omit<Cron, 'minutes' | 'hours'>, date: Date): boolean {
  if (!months.has(date.getUTCMonth() + 1)) return false
  const [ofMonth, ofWeek] = [daysOfMonth.has(date.getUTCDate()), daysOfWeek.has(date.getUTCDay())]
  return isEitherDay ? ofMonth || ofWeek : ofMonth && ofWeek
}

/** The local time of an instant, as if it were UTC. */
function asUtc(format: Intl.DateTimeFormat, at: number): number {
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  return Date.UTC(
    part['year'] ?? 0,
    (part['month'] ?? 1) - 1,
    part['day'] ?? 1,
    part['hour'] ?? 0,
    part['minute'] ?? 0,
    part['second'] ?? 0,
  )
}

/** The first instant with a local time; in a gap, the instant of the change. */
function toInstant(format: Intl.DateTimeFormat, local: number): number {
  const offset = (at: number) => asUtc(format, at) - Math.floor(at / 1000) * 1000
  // Offsets before and after any change near it.
  const [before, later] = [offset(local - dayMs), offset(local + dayMs)]
  const candidates = [local - before, local - later].filter(at => asUtc(format, at) === local)
  if (candidates.length > 0) return Math.min(...candidates)
  // Left out: the change is where the offset becomes the later one.
  let [low, high] = [local - later - dayMs, local - before + dayMs]
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000
    if (offset(middle) === before) low = middle
    else high = middle
  }
  return high
}
