import type { ComparisonOptions } from '../../../contract/comparisons/comparisons.schemas.ts'
import { taskDay } from '../../../lib/task-dates.ts'
import type { SampleFacts } from './align-samples.ts'

type Window = Pick<ComparisonOptions, 'dated_from' | 'dated_to'>

/** The samples whose tasks are dated within the window; all of them where there is none. */
export function withinDates(samples: Iterable<SampleFacts>, { dated_from: from, dated_to: to }: Window): Iterable<SampleFacts> {
  return from === undefined && to === undefined ? samples : inside(samples, from, to)
}

function* inside(samples: Iterable<SampleFacts>, from: string | undefined, to: string | undefined): Generator<SampleFacts> {
  for (const sample of samples) {
    const day = taskDay(sample.tags.facets)
    if (day !== null && (from === undefined || day >= from) && (to === undefined || day <= to)) yield sample
  }
}

/** The window in a sentence, with a blank before it; empty where there is none. */
export function describeWindow({ dated_from: from, dated_to: to }: Window): string {
  if (from === undefined && to === undefined) return ''
  return ` dated${from === undefined ? '' : ` from ${from}`}${to === undefined ? '' : ` until ${to}`}`
}
