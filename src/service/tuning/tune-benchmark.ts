import { createHash } from 'node:crypto'
import type { Metric } from '../../contract/catalog/benchmarks.schemas.ts'
import type { EvaluatorSnapshot } from '../../contract/evaluators/evaluators.schemas.ts'
import { caseText } from '../../contract/tuning/case-input.ts'
import type { TuneCall, TuneCase, TuneGrader } from '../../contract/tuning/draft.schemas.ts'
import type { TunePrompt } from '../../contract/tuning/search.schemas.ts'
import { canonicalJson } from '../../engine/content/benchmarks/content-digest.ts'
import { isBinaryScorer } from '../../engine/grading/scorers/value-kind.ts'
import { preparedVersion } from '../../engine/grading/scorers/scorer-version.ts'
import type { BenchmarkDefinition, ProfileDefinition } from '../../engine/tasks/definition.ts'
import { binaryMetric } from '../../engine/tasks/metric.ts'
import type { Task } from '../../engine/tasks/task.ts'

const provider = 'local'
/** Key of the profile with the prompt of the call. */
const callKey = 'current'

/** How the answers of a session's runs are graded. */
export interface ResolvedGrader {
  readonly metric: Metric
  /** Evaluator whose metric decides, where the profile's own does not. */
  readonly evaluatorVersionId: string | null
}

/** A deterministic evaluator is its scorer; any other grades beside an exact match that decides nothing. */
export function resolveGrader(grader: TuneGrader, evaluator: EvaluatorSnapshot | null): ResolvedGrader {
  const byScorer = (scorer: string, options: Metric['options'], title: string): ResolvedGrader => ({
    metric: {
      ...binaryMetric('quality', title, scorer, { primary: true, options }),
      scorer_version: preparedVersion({ scorer }),
      binary: isBinaryScorer({ scorer, options }),
    },
    evaluatorVersionId: null,
  })
  if ('scorer' in grader) return byScorer(grader.scorer, grader.options, 'Quality')
  if (evaluator?.definition.kind === 'deterministic')
    return byScorer(evaluator.definition.scorer, evaluator.definition.options, evaluator.name)
  return { ...byScorer('assay/exact_match', {}, 'Exact match (decides nothing)'), evaluatorVersionId: grader.evaluator_version_id }
}

/** Key of the profile that shows a prompt. */
export function promptKey(prompt: TunePrompt | null): string {
  return prompt === null ? callKey : `prompt-${createHash('sha256').update(canonicalJson(prompt)).digest('hex').slice(0, 12)}`
}

/** The private benchmark of a session: one profile for the prompt of the call, and one for each other prompt. */
export function tuneBenchmark(
  session: { readonly id: string; readonly name: string },
  call: TuneCall,
  { metric }: ResolvedGrader,
  prompts: readonly TunePrompt[],
): BenchmarkDefinition {
  const slug = `tune-${session.id}`
  // The others are settings of a run, see `executionOf`.
  const { temperature, max_output_tokens, stop } = call.parameters
  const profile = (prompt: TunePrompt | null): ProfileDefinition => ({
    key: promptKey(prompt),
    title: prompt === null ? 'Current prompt' : 'Candidate prompt',
    summary: 'One call a case.',
    split: 'test',
    systemPrompt: prompt === null ? call.system_prompt : prompt.system_prompt,
    promptTemplate: prompt === null ? call.prompt_template : prompt.prompt_template,
    shotTemplate: null,
    shots: 0,
    generation: { temperature, max_output_tokens, stop },
    metrics: [metric],
    requires: ['chat'],
    chanceLevel: null,
    breakdowns: [],
  })
  return {
    slug,
    provider,
    name: slug,
    title: session.name,
    summary: 'Cases of a tuning session.',
    description: `Cases that were reviewed in the tuning session "${session.name}".`,
    howMade: 'By people and programs of this workspace; each case names its origin.',
    knownLimits: ['The cases represent the workload only if they were sampled from it.'],
    runner: 'inspect',
    capabilities: [],
    license: { name: 'Not stated', url: null },
    citation: null,
    homepage: null,
    profiles: [profile(null), ...prompts.map(profile)],
  }
}

export function tuneTask({ id, input, expected, metadata }: TuneCase): Task {
  return {
    id,
    split: 'test',
    ...(Array.isArray(input)
      ? { fields: { input: caseText(input) }, conversations: { input: [{ role: 'user', content: input }] } }
      : { fields: { input: typeof input === 'string' ? input : canonicalJson(input) } }),
    targets: expected === null ? [] : typeof expected === 'string' ? [expected] : expected,
    choices: null,
    metadata,
    capabilities: [],
    dependsOn: [],
  }
}
