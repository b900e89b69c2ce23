import { createElement as h, type ReactElement } from 'react'
import { isBiasedScore, type MetricResult, type Results } from '../../../../contract/runs/results.schemas.ts'
import { measuredName } from '../../../../lib/format/benchmark-names.ts'
import { formatCount } from '../../../../lib/format/numbers.ts'
import { formatPercent, formatScore, isLopsided } from '../../../../lib/format/percent.ts'
import { formatTimestamp } from '../../../../lib/format/time.ts'
import { withoutScore } from '../../../../lib/format/without-score.ts'
import { kicker, untrusted } from './elements.ts'
import { methodName } from '../../../../lib/format/interval-methods.ts'
import { primaryMetrics, profileTitle } from './result-names.ts'

/** More large figures than this are not a headline; the plot below shows them all. */
const mostHeadlines = 4

const statusWords: Record<Results['status'], string> = {
  queued: 'Queued',
  running: 'Running',
  cancelling: 'Being cancelled',
  complete: 'Complete: every sample has a score',
  partial: 'Partial: some samples have no score',
  failed: 'Failed: nothing usable',
  cancelled: 'Cancelled',
}

/** Whose run this is, what came out, and what must be known before anybody quotes it. */
export function headline(results: Results): ReactElement {
  const { model, finished_at: finishedAt } = results.reproducibility
  const headlines = primaryMetrics(results)
  return h(
    'header',
    { className: 'page-head' },
    kicker('Assay run report'),
    h('h1', null, untrusted(results.name)),
    h(
      'p',
      { className: 'sub' },
      untrusted(measuredName(results.reproducibility)),
      model.is_model ? null : h('strong', null, ' (a baseline, not a model)'),
      ` · ${statusWords[results.status]} · ${finishedAt === null ? 'not finished' : `finished ${formatTimestamp(finishedAt)}`}`,
    ),
    h('button', { id: 'theme', type: 'button', hidden: true }, 'Theme'),
    headlines.length > mostHeadlines
      ? h('p', null, `${headlines.length} profiles were run; their scores are under “Scores”.`)
      : h('div', { className: 'headlines' }, ...headlines.map(metric => h('div', { key: metric.profile_id }, ...score(results, metric)))),
    results.stop_reason === null
      ? null
      : h(
          'p',
          { className: 'notice' },
          h('strong', null, results.stop_reason.code === 'samples_failed' ? 'Incomplete. ' : 'Ended early. '),
          untrusted(results.stop_reason.message),
        ),
    ...results.notices.map((notice, key) => h('p', { key, className: 'notice' }, untrusted(notice.message))),
  )
}

function score(results: Results, metric: MetricResult): ReactElement[] {
  const { estimate, title, profile_id: profileId, chance_level: chance } = metric
  const interval = isBiasedScore(results, profileId) ? null : estimate.interval
  const withEnds = results.metrics.some(one => !isBiasedScore(results, one.profile_id) && isLopsided(one.estimate))
  return [
    h('p', { key: 'what', className: 'what' }, untrusted(profileTitle(results, profileId)), ' · ', untrusted(title)),
    h(
      'p',
      { key: 'score', className: 'score' },
      isBiasedScore(results, profileId)
        ? 'Not scored: biased selection'
        : estimate.mean === null
          ? 'no score'
          : formatScore(estimate, withEnds),
    ),
    h(
      'p',
      { key: 'how', className: 'how' },
      `n = ${formatCount(estimate.n)}`,
      interval === null ? null : ` · ${formatPercent(interval.level, 0)} interval: ${methodName(interval.method)}`,
      chance === null ? null : ` · chance level ${formatPercent(chance)}`,
      ...withoutScore(isBiasedScore(results, profileId) ? { ...metric, worst_case: null } : metric).map(part => ` · ${part}`),
      estimate.reason === null ? null : h('span', null, ' · ', untrusted(estimate.reason)),
    ),
  ]
}
