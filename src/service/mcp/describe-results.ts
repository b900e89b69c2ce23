import { isBiasedScore, type LabelShare, type Results } from '../../contract/runs/results.schemas.ts'
import { figure, labelOfGroup, rounded, shareOf } from './figures.ts'
import type { Assay } from './tool.ts'
import { untrusted, untrustedRow } from './untrusted.ts'

const mostLabels = 60

/** The figures of a result version; breakdowns are counted, and messages of providers left to the page. */
export function describeResults(
  results: Results,
  { pageUrl }: Pick<Assay, 'pageUrl'>,
  { allMetrics, labels }: { readonly allMetrics: boolean; readonly labels: boolean },
): object {
  const shown = results.metrics.filter(metric => allMetrics || metric.primary)
  const shares = (results.label_shares ?? []).filter(({ profile_id: id }) => !isBiasedScore(results, id))
  const { frozen, scored, failed, missing, cancelled } = results.coverage
  return {
    run_id: results.run_id,
    result_version: results.result_version,
    status: results.status,
    metrics: shown.map(metric => ({
      profile_id: metric.profile_id,
      ...untrustedRow({ metric: metric.metric, title: metric.title }),
      ...(metric.primary ? { primary: true } : {}),
      ...figure(metric.estimate),
      unscored: metric.unscored,
      ...(metric.chance_level === null ? {} : { chance_level: rounded(metric.chance_level) }),
    })),
    ...(allMetrics ? {} : { other_metrics: results.metrics.length - shown.length }),
    breakdowns_on_page: results.breakdowns.length,
    ...(labels
      ? { label_shares: shares.slice(0, mostLabels).map(describeShare), more_labels_on_page: shares.length > mostLabels }
      : { other_label_shares: shares.length }),
    samples: { frozen, scored, failed, missing, cancelled },
    errors: results.errors.map(({ code, count, sample_id: sampleId }) => ({ code, count, sample_id: sampleId })),
    latency_ms: { p50: rounded(results.latency_ms.p50), p95: rounded(results.latency_ms.p95) },
    tokens: { input: results.usage.input_tokens, output: results.usage.output_tokens },
    charged_microusd: results.billing.charged_microusd,
    ...untrusted({
      model: results.reproducibility.model.title,
      notices: results.notices.map(({ code, message }) => ({ code, message })),
    }),
    page: pageUrl(`/runs/${results.run_id}`),
  }
}

function describeShare({ profile_id, metric, samples, without_label, estimate, ...group }: LabelShare): object {
  return {
    profile_id,
    ...untrustedRow({ metric, ...labelOfGroup(group) }),
    n: estimate.n,
    samples,
    without_label,
    share: shareOf(estimate),
  }
}
