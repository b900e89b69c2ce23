import type { Metric } from '../../contract/catalog/benchmarks.schemas.ts'
import type { DatasetVersion, FrozenExample } from '../../contract/datasets/dataset-versions.schemas.ts'
import { invalidField } from '../../contract/errors.ts'
import { Conversation } from '../../contract/messages/messages.schemas.ts'
import type { EvaluatorSnapshot } from '../../contract/evaluators/evaluators.schemas.ts'
import { evaluatorScorer } from '../../engine/execution/scheduler/ports.ts'
import { preparedVersion } from '../../engine/grading/scorers/scorer-version.ts'
import { aggregatedBy } from '../../engine/grading/scorers/aggregate-counts.ts'
import { isBinaryScorer } from '../../engine/grading/scorers/value-kind.ts'
import type { BenchmarkDefinition } from '../../engine/tasks/definition.ts'
import type { Task } from '../../engine/tasks/task.ts'
import { type EvaluatedItem, exampleItem, shownIn, targetsFrom } from './evaluated-item.ts'

/** What answers are compared with; null: the grader needs nothing to compare with. */
type TargetFrom = Parameters<typeof targetsFrom>[1] | null

const placeholders = /\{([A-Za-z_][A-Za-z0-9_]*)\}/g

/** @param i the example's place, from 0. @throws ApiError validation_error naming what the example lacks */
export function taskOf(example: FrozenExample, i: number, promptTemplate: string, from: TargetFrom): Task {
  const item = exampleItem(example)
  const named = typeof example.input === 'object' && !Array.isArray(example.input) ? example.input : {}
  const fields = Object.fromEntries(
    Object.entries(named).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
  const all = { ...fields, input: item.input }
  for (const [, name = ''] of promptTemplate.matchAll(placeholders)) {
    if (!Object.hasOwn(all, name))
      throw invalidField(['body', 'prompt_template'], `names {${name}}, which the example ${i + 1} (${example.example_id}) does not have`)
  }
  const targets = targetsFrom(item, from ?? 'expected')
  if (targets.length === 0 && from !== null)
    throw invalidField(
      ['body', 'evaluator_version_id'],
      `compares with a value that the example ${i + 1} (${example.example_id}) does not have`,
    )
  return {
    id: example.example_id,
    split: 'test',
    fields: all,
    ...conversationOf(example.input, item),
    targets,
    choices: null,
    metadata: example.metadata,
    capabilities: [],
    dependsOn: [],
  }
}

/** What the example showed beside text is shown again; a conversation of text alone is asked as one text. */
function conversationOf(input: FrozenExample['input'], { files = [] }: EvaluatedItem): Pick<Task, 'conversations'> {
  const messages = files.length > 0 ? Conversation.safeParse(shownIn(input)).data : undefined
  return messages ? { conversations: { input: messages } } : {}
}

/** The metric that an evaluator gives; a quote adds what is known of its calibration. */
export function evaluatorAsPrimary({ id, version, digest, name }: Pick<EvaluatorSnapshot, 'id' | 'version' | 'digest' | 'name'>): Metric {
  return {
    id: 'evaluator',
    title: name,
    scorer: evaluatorScorer,
    scorer_version: version,
    options: { evaluator_version_id: id, digest },
    // Found out from the values once there are any.
    binary: false,
    primary: true,
  }
}

export function metricOf(scorer: string, options: Readonly<Record<string, unknown>>, title: string): Metric {
  const binary = isBinaryScorer({ scorer, options })
  return {
    id: 'evaluator',
    title,
    scorer,
    scorer_version: preparedVersion({ scorer }),
    options,
    binary,
    primary: true,
    ...aggregatedBy(scorer),
  }
}

/** What a feature says of the benchmark that it makes of examples. */
export interface ExampleBenchmark {
  readonly slug: string
  readonly title: string
  /** What it is made for. */
  readonly description: string
  readonly profile: { readonly key: string; readonly title: string }
  readonly promptTemplate: string
  readonly systemPrompt?: string | null
  readonly maxOutputTokens?: number
  /** Metadata keys by which results are broken down. */
  readonly breakdowns: readonly string[]
}

export function definitionOf(
  { version }: Pick<DatasetVersion, 'version'>,
  benchmark: ExampleBenchmark,
  metric: Metric,
): BenchmarkDefinition {
  const { slug, title, description, profile, promptTemplate, systemPrompt = null, maxOutputTokens = 2048, breakdowns } = benchmark
  return {
    slug,
    provider: 'local',
    name: slug,
    title,
    summary: `Examples of version ${version} of a dataset of this workspace.`,
    description,
    howMade: 'Each approved example is a task; its metadata stays with it.',
    knownLimits: [],
    runner: 'inspect',
    capabilities: [],
    license: { name: 'private', url: null },
    citation: null,
    homepage: null,
    profiles: [
      {
        ...profile,
        summary: 'One question, one answer.',
        split: 'test',
        systemPrompt,
        promptTemplate,
        shotTemplate: null,
        shots: 0,
        generation: { temperature: 0, max_output_tokens: maxOutputTokens, stop: [] },
        metrics: [metric],
        requires: [],
        chanceLevel: null,
        breakdowns,
      },
    ],
  }
}
