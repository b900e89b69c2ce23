import type { Results } from '../../contract/runs/results.schemas.ts'
import { figure, rounded } from './figures.ts'
import type { Assay } from './tool.ts'
import { untrusted } from './untrusted.ts'

/** The figures of a result version; breakdowns are counted, and messages of providers left to the page. */
export function describeResults(
  results: Results,
  { pageUrl }: Pick<Assay, 'pageUrl'>,
  { allMetrics }: { readonly allMetrics: boolean },
): object {
  const shown = results.metrics.filter(metric => allMetrics || metric.primary)
  const { frozen, scored, failed, missing, cancelled } = results.coverage
  return {
    run_id: results.run_id,
    result_version: results.result_version,
    status: results.status,
    metrics: shown.map(metric => ({
      profile_id: metric.profile_id,
      metric: metric.metric,
      ...(metric.primary ? { primary: true } : {}),
      ...figure(metric.estimate),
      unscored: metric.unscored,
      ...(metric.chance_level === null ? {} : { chance_level: rounded(metric.chance_level) }),
    })),
    ...(allMetrics ? {} : { other_metrics: results.metrics.length - shown.length }),
    breakdowns_on_page: results.breakdowns.length,
    samples: { frozen, scored, failed, missing, cancelled },
    errors: results.errors.map(({ code, count, sample_id: sampleId }) => ({ code, count, sample_id: sampleId })),
    latency_ms: { p50: rounded(results.latency_ms.p50), p95: rounded(results.latency_ms.p95) },
    tokens: { input: results.usage.input_tokens, output: results.usage.output_tokens },
    charged_microusd: results.billing.charged_microusd,
    ...untrusted({
      model: results.reproducibility.model.title,
      metric_titles: Object.fromEntries(shown.map(({ metric, title }) => [metric, title])),
      notices: results.notices.map(({ code, message }) => ({ code, message })),
    }),
    page: pageUrl(`/runs/${results.run_id}`),
  }
}
