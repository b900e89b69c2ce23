import { numberOf, type PyValue } from './values.ts'

/** The value of `datetime.datetime(…)`, `datetime.date(…)` or `datetime.time(…)` with numbers in order; null for any other call. */
export function dateFromCall(name: string, args: readonly PyValue[]): PyValue | null {
  const numbers = args.map(arg => (arg.type === 'int' ? Number(numberOf(arg)) : Number.NaN))
  if (numbers.some(Number.isNaN)) return null
  if (name === 'datetime.time') {
    const [hour = 0, minute = 0, second = 0, micro = 0] = numbers
    return { type: 'time', seconds: hour * 3600 + minute * 60 + second + micro / 1e6 }
  }
  const [year, month, day, hour = 0, minute = 0, second = 0, micro = 0] = numbers
  if (year === undefined || month === undefined || day === undefined) return null
  if (name === 'datetime.date' && args.length === 3) return { type: 'date', year, month, day }
  if (name !== 'datetime.datetime') return null
  return { type: 'datetime', year, month, day, seconds: hour * 3600 + minute * 60 + second + micro / 1e6 }
}
