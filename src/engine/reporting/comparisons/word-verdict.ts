import type { Difference } from '../../../contract/comparisons/comparisons.schemas.ts'
import { formatCount, formatNumber, formatSigned } from '../../../lib/format/numbers.ts'
import { describeP, formatP } from '../../../lib/format/p-values.ts'
import { formatLevel } from '../../../lib/format/percent.ts'

/** One contender against the baseline as a sentence that can be quoted alone. */
export function describeVerdict(difference: Difference, contender: string, baseline: string, tests: number): string {
  const { verdict, n, reason } = difference
  const on = `on ${formatCount(n)} common ${n === 1 ? 'task' : 'tasks'}`
  if (difference.difference === null)
    return `Nothing can be said of ${contender} against ${baseline}: ${reason ?? 'there is no difference to measure.'}`
  const missed = missedBelow(difference)
  if (verdict === 'not_shown') {
    const interval = difference.interval && `, ${intervalText(difference.interval, 1)}`
    return `No difference was shown between ${contender} and ${baseline}: ${points(difference.difference, true)}${interval ?? ''}, ${on}${adjustment(difference, tests)}${missed}`
  }
  const size = Math.abs(difference.difference)
  const direction = verdict === 'better' ? 1 : -1
  return `${contender} is ${verdict} than ${baseline} by ${points(size)}, ${difference.interval ? intervalText(difference.interval, direction) : ''}, ${on}${missed}`
}

/** All contenders in one sentence; of a single one it is its verdict. */
export function describeHeadline(
  headlines: readonly { readonly difference: Difference; readonly label: string; readonly text: string }[],
  baseline: string,
): string {
  const [only] = headlines
  if (!only) return 'Nothing was compared.'
  if (headlines.length === 1) return only.text
  const better = headlines.filter(({ difference }) => difference.verdict === 'better')
  const worse = headlines.filter(({ difference }) => difference.verdict === 'worse')
  const best = better.toSorted((a, b) => (b.difference.difference ?? 0) - (a.difference.difference ?? 0))[0]
  const counts = `Of ${headlines.length} contenders, ${better.length} ${is(better.length)} better than ${baseline} and ${worse.length} ${is(worse.length)} worse`
  const rest = headlines.length - better.length - worse.length
  const undecided = rest === 0 ? '' : `; for ${rest}, no difference was shown`
  return `${counts}${undecided}.${best ? ` ${best.text}` : ''}`
}

function missedBelow({ minimum_detectable_difference: least }: Difference): string {
  return least === null ? '.' : `; a difference under ${points(least)} would be missed more than one time in five.`
}

/** Says why an interval that leaves out 0 is still no finding. */
function adjustment({ interval, p, p_adjusted: adjusted }: Difference, tests: number): string {
  const leavesOutZero = interval !== null && (interval.low > 0 || interval.high < 0)
  if (!leavesOutZero || p === null || adjusted === null) return ''
  if (tests === 1) return ` (the exact test gives ${describeP(p)})`
  return ` (${describeP(p)} alone and ${formatP(adjusted)} as one of ${tests} tests)`
}

function intervalText({ low, high, level }: NonNullable<Difference['interval']>, direction: 1 | -1): string {
  const [from, to] = direction === 1 ? [low, high] : [-high, -low]
  const signed = low <= 0 && high >= 0
  const ends = [from, to].map(end => (signed ? formatSigned(end * 100, 1) : formatNumber(end * 100, 1)))
  return `${formatLevel(level)} interval ${ends.join(' to ')}`
}

function points(difference: number, signed = false): string {
  const value = difference * 100
  return `${signed ? formatSigned(value, 1) : formatNumber(value, 1)} points`
}

function is(count: number): string {
  return count === 1 ? 'is' : 'are'
}
