import { createElement as h, type ReactElement } from 'react'
import { quotedMetrics } from '../../../../charts/attempts-plot.ts'
import type { Estimate, Results } from '../../../../contract/runs/results.schemas.ts'
import { section, untrusted } from './elements.ts'
import { metricTitle, profileTitle } from './result-names.ts'

/** What to keep in mind when reading the numbers, each caution with the number it is about. */
export function notices(results: Results): ReactElement {
  const cautions = [
    ...quotedMetrics(results.metrics, results.coverage.epochs).flatMap(metric =>
      remarks(metric.estimate).map(text => ({ about: about(results, metric), text })),
    ),
    ...results.breakdowns.flatMap(part =>
      remarks(part.estimate).map(text => ({ about: `${about(results, part)}, ${part.dimension} ${part.value}`, text })),
    ),
  ]
  const stopped = results.stop_reason === null ? [] : [results.stop_reason]
  const items = [
    ...[...stopped, ...results.notices].map(notice => h('li', null, untrusted(notice.message))),
    ...cautions.map(caution => h('li', null, h('strong', null, untrusted(caution.about), ': '), untrusted(caution.text))),
  ]
  return section('notices', 'Notices and cautions', items.length === 0 ? h('p', null, 'None.') : h('ul', null, ...items))
}

function remarks({ reason, cautions }: Estimate): string[] {
  return [...(reason === null ? [] : [reason]), ...cautions]
}

function about(results: Results, { profile_id: profileId, metric }: { profile_id: string; metric: string }): string {
  return `${profileTitle(results, profileId)}, ${metricTitle(results, profileId, metric)}`
}
