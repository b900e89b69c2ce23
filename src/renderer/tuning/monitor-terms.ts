import { currentLabel } from '../../contract/tuning/quotes.schemas.ts'
import type { TuneGroup } from '../../contract/tuning/race.schemas.ts'
import type { TuneSession } from '../../contract/tuning/sessions.schemas.ts'
import { type DollarReading, readDollars } from '../ui/forms/dollars.ts'
import { billedRules } from './group-terms.ts'
import type { NewMonitor } from './tuning.queries.ts'

/** A monitor as it is typed; empty numbers are null. */
export interface TypedMonitor {
  readonly name: string
  /** What is run and compared with; null until it is chosen. */
  readonly baseline: Pick<NewMonitor, 'session_id' | 'profile_id' | 'baseline'> | null
  readonly points: number | null
  readonly percent: number | null
  readonly schedule: 'none' | 'hour' | 'day' | 'week'
  readonly evaluatorId: string | null
  readonly tolerancePoints: number | null
  readonly falseAlarmEvery: number | null
  readonly once: string
  readonly monthly: string
  /** Empty: no limit. */
  readonly billed: string
}

export const newTerms: TypedMonitor = {
  name: '',
  baseline: null,
  points: 5,
  percent: 99,
  schedule: 'none',
  evaluatorId: null,
  tolerancePoints: 2,
  falseAlarmEvery: 10_000,
  once: '0',
  monthly: '0',
  billed: '',
}

/** The group whose conclusion a session shows. */
export function concludedGroup({ conclusion, groups }: TuneSession): TuneGroup | null {
  return groups.find(({ id }) => id === conclusion?.group_id) ?? null
}

/** The recommended call must stay as good as the one that it replaces; null before a group has ended. */
export function termsOfSession(session: TuneSession): TypedMonitor | null {
  const { draft, id, name } = session
  const group = concludedGroup(session)
  if (!group) return null
  return {
    ...newTerms,
    name: `${name}: monitor`.slice(0, 200),
    baseline: { session_id: id, baseline: { group_id: group.id, arm: currentLabel } },
    points: Math.round(10_000 * draft.objective.margin) / 100,
    evaluatorId: draft.grader && 'evaluator_version_id' in draft.grader ? draft.grader.evaluator_version_id : null,
  }
}

/** What is sent, or what is missing in words. */
export function monitorOf(typed: TypedMonitor): NewMonitor | string {
  const { baseline, points, percent, tolerancePoints, falseAlarmEvery, evaluatorId, schedule } = typed
  const [once, monthly, billed] = [readDollars(typed.once), readDollars(typed.monthly), readDollars(typed.billed, billedRules)]
  if (typed.name.trim() === '') return 'Enter a name.'
  if (baseline === null) return 'Choose the baseline.'
  if (points === null || percent === null) return 'Enter the acceptable loss and the confidence.'
  if (tolerancePoints === null || falseAlarmEvery === null) return 'Enter the tolerance and the outputs between false alarms.'
  if (once.amount === null) return limitFault('Limit per check', once)
  if (monthly.amount === null) return limitFault('Limit per month', monthly)
  if (billed.error !== null) return limitFault('Provider cost per check', billed)
  return {
    ...baseline,
    name: typed.name.trim(),
    margin: points / 100,
    confidence: percent / 100,
    stream: { tolerance: tolerancePoints / 100, false_alarm_every: falseAlarmEvery },
    max_charge_microusd: once.amount,
    max_monthly_microusd: monthly.amount,
    ...(billed.amount !== null && { max_provider_billed_microusd: billed.amount }),
    ...(schedule !== 'none' && { schedule }),
    ...(evaluatorId !== null && { evaluator_version_id: evaluatorId }),
  }
}

function limitFault(label: string, { error }: DollarReading): string {
  return `${label}: ${error ?? ''}.`
}
