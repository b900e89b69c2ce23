import type { Connection } from '../../contract/connections/connections.schemas.ts'
import type { EvaluatorDefinition } from '../../contract/evaluators/evaluator-definition.schemas.ts'
import { formatDuration } from '../../lib/format/time.ts'

/** By the latency that the judges' checks found, all of their calls at once as far as their connections take them; null where that of one is unknown. */
export function judgeTimeMs(definition: EvaluatorDefinition, calls: number, connections: readonly Connection[]): number | null {
  if (definition.kind !== 'model_graded') return null
  const times = definition.judges.map(({ model }) => {
    const found = model.kind === 'connection' ? connections.find(({ id }) => id === model.connection_id) : undefined
    const latency = found?.last_check?.latency_ms ?? null
    return found === undefined || latency === null
      ? null
      : Math.ceil(calls / definition.judges.length / found.limits.max_concurrency) * latency
  })
  const known = times.filter(time => time !== null)
  return known.length < times.length ? null : Math.max(...known)
}

export function describeJudgeTime(milliseconds: number | null): string {
  return milliseconds === null ? 'time unknown' : milliseconds < 1000 ? 'under 1 s' : `about ${formatDuration(milliseconds)}`
}
