import type { Metric } from '../../contract/catalog/benchmarks.schemas.ts'
import type { ImportProfile } from '../../contract/catalog/imports.schemas.ts'
import type { ResponseFormat } from '../../contract/connections/request-settings.schemas.ts'
import { invalidField } from '../../contract/errors.ts'
import { aggregatedBy } from '../../engine/grading/scorers/aggregate-counts.ts'
import { ScorerConfigError } from '../../engine/grading/scorers/config-error.ts'
import { preparedVersion, scorerTitle } from '../../engine/grading/scorers/scorer-version.ts'
import { isBinaryScorer } from '../../engine/grading/scorers/value-kind.ts'
import type { ScorerProblem } from '../../workers/score-pool.ts'

type Chosen = NonNullable<ImportProfile['metrics']>

/** @throws ApiError naming the metric, or the response format, whose options cannot be prepared, which is tried in a thread */
export async function requireMetrics(
  { metrics = [], response_format: format }: ImportProfile,
  problemOf: (spec: Pick<Metric, 'scorer' | 'options'>) => Promise<ScorerProblem | null>,
): Promise<void> {
  const specs = [
    ...metrics.map(({ scorer, options }, i) => ({ scorer, options, loc: ['metrics', i] })),
    ...(format ? [{ scorer: schemaScorer, options: { schema: format.schema }, loc: ['response_format', 'schema'] }] : []),
  ]
  for (const { loc, ...spec } of specs) {
    const problem = await problemOf(spec)
    if (problem) throw invalidField(['body', 'profile', ...loc], problem.message)
  }
}

/** Metrics from the scorers that a user chose, once `requireMetrics` took them, named after them. @throws ApiError for unknown scorers and two primary ones */
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
      const version = preparedVersion({ scorer })
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

/** The scorer of a response format's schema, where none of the metrics is one. */
export function formatMetrics({ schema }: ResponseFormat, metrics: readonly Metric[]): Metric[] {
  if (metrics.some(({ scorer }) => scorer === schemaScorer)) return []
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
