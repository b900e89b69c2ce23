import type { Metric } from '../../contract/catalog/benchmarks.schemas.ts'
import type { ImportProfile } from '../../contract/catalog/imports.schemas.ts'
import type { ResponseFormat } from '../../contract/connections/request-settings.schemas.ts'
import { invalidField } from '../../contract/errors.ts'
import { aggregatedBy } from '../../engine/grading/scorers/aggregate-counts.ts'
import { ScorerConfigError } from '../../engine/grading/scorers/config-error.ts'
import { scorerTitle, scorerVersion } from '../../engine/grading/scorers/scorer-version.ts'
import { isBinaryScorer } from '../../engine/grading/scorers/value-kind.ts'

type Chosen = NonNullable<ImportProfile['metrics']>

/** Metrics from the scorers that a user chose, named after them. @throws ApiError for unknown scorers, options that do not fit and two primary ones */
export function chosenMetrics(chosen: Chosen): Metric[] {
  if (chosen.filter(({ primary }) => primary).length > 1)
    throw invalidField(['body', 'profile', 'metrics'], 'only one metric can be primary')
  const first = Math.max(
    0,
    chosen.findIndex(({ primary }) => primary),
  )
  const taken = new Set<string>()
  return chosen.map(({ scorer, options, title }, i) => {
    const id = freeId((scorer.split('/').at(-1) ?? scorer).toLowerCase().replaceAll(/[^a-z0-9]+/g, '_'), taken)
    taken.add(id)
    try {
      const version = scorerVersion({ scorer, options })
      return {
        id,
        title: title ?? scorerTitle(scorer),
        scorer,
        scorer_version: version,
        options,
        binary: isBinaryScorer({ scorer, options }),
        primary: i === first,
        ...aggregatedBy(scorer),
      }
    } catch (error) {
      if (error instanceof ScorerConfigError) throw invalidField(['body', 'profile', 'metrics', i], error.message)
      throw error
    }
  })
}

/** The scorer of a response format's schema, where none of the metrics is one. @throws ApiError for a schema that cannot be used */
export function formatMetrics({ schema }: ResponseFormat, metrics: readonly Metric[]): Metric[] {
  if (metrics.some(({ scorer }) => scorer === schemaScorer)) return []
  try {
    scorerVersion({ scorer: schemaScorer, options: { schema } })
  } catch (error) {
    if (error instanceof ScorerConfigError) throw invalidField(['body', 'profile', 'response_format', 'schema'], error.message)
    throw error
  }
  return chosenMetrics([{ scorer: schemaScorer, options: { schema }, title: 'Valid under the schema', primary: false }]).map(metric => ({
    ...metric,
    primary: false,
  }))
}

const schemaScorer = 'assay/json_schema'

function freeId(id: string, taken: ReadonlySet<string>): string {
  for (let number = 2, free = id; ; number++) {
    if (!taken.has(free)) return free
    free = `${id}_${number}`
  }
}
