import { type DatasetSuite, type FrozenExample, invalidField, type Metric, type NewDatasetSuite } from '../../contract/index.ts'
import type { BenchmarkDefinition } from '../../engine/tasks/definition.ts'
import type { Task } from '../../engine/tasks/task.ts'
import { isBinaryScorer } from '../../engine/grading/scorers/value-kind.ts'
import { scorerById } from '../../engine/grading/scorers/registry.ts'
import { createPrivateBenchmark } from '../catalog/index.ts'
import type { Datasets } from '../datasets/index.ts'
import { exampleItem, type Evaluators, targetsFrom } from '../evaluators/index.ts'
import type { Kernel } from '../kernel.ts'
import type { ReleaseSuites } from './suites.service.ts'

export interface DatasetSuiteDependencies {
  readonly datasets: Datasets
  readonly evaluators: Pick<Evaluators, 'records'>
  readonly suites: ReleaseSuites
}

export type DatasetSuites = ReturnType<typeof createDatasetSuites>

type Deterministic = Parameters<typeof targetsFrom>[1]

const mostGroups = 50
const placeholders = /\{([A-Za-z_][A-Za-z0-9_]*)\}/g

/** Release suites of datasets: frozen examples as the tasks of a benchmark that only the workspace sees. */
export function createDatasetSuites(kernel: Kernel, { datasets, evaluators, suites }: DatasetSuiteDependencies) {
  return {
    create: async (workspaceId: string, datasetId: string, versionId: string, body: NewDatasetSuite): Promise<DatasetSuite> => {
      const version = datasets.versions.readOf(workspaceId, datasetId, versionId)
      const { definition: evaluator, name: title } = evaluators.records.read(workspaceId, body.evaluator_version_id)
      if (evaluator.kind !== 'deterministic')
        throw invalidField(
          ['body', 'evaluator_version_id'],
          `"${title}" is ${evaluator.kind}; the main metric of a suite is deterministic. Add judges with execution.evaluators of the decision`,
        )
      const examples = [...datasets.versions.eachExample(workspaceId, version.id)].flat()
      const tasks = examples.map((example, i) => taskOf(example, i, body, evaluator.target_from))
      const values = groupValues(tasks, body)
      const definition = definitionOf(version.dataset_id, version.version, body, metricOf(evaluator.scorer, evaluator.options, title))
      const made = await createPrivateBenchmark(kernel, workspaceId, { definition, tasks, shots: [] }, () => undefined)
      const [profile_id = ''] = made.profileIds
      const groups = values.map((value, i) => {
        const members = body.group_by === undefined ? tasks : tasks.filter(task => task.metadata[body.group_by ?? ''] === value)
        return {
          key: body.group_by === undefined ? 'all' : keyOf(value, i),
          title: body.group_by === undefined ? body.name : value,
          // By size, so that the weighted mean of the suite is the mean of its tasks.
          weight: members.length,
          critical: body.critical_values.includes(value),
          profile_id,
          cluster_by: null,
          capabilities: [],
          selection: { task_selections: [{ source_ref: made.sourceRef, split: 'test' as const, task_ids: members.map(({ id }) => id) }] },
        }
      })
      const suite = suites.createOnce(workspaceId, {
        name: body.name,
        description: `Examples of dataset version ${version.version}, ${version.digest.slice(0, 12)}.`,
        previous_version_id: null,
        groups,
      })
      return { suite, benchmark: { slug: made.slug, source_ref: made.sourceRef, profile_id } }
    },
  }
}

function taskOf(example: FrozenExample, i: number, body: NewDatasetSuite, from: Deterministic): Task {
  const item = exampleItem(example)
  const named = typeof example.input === 'object' && !Array.isArray(example.input) ? example.input : {}
  const fields = Object.fromEntries(
    Object.entries(named).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
  const all = { ...fields, input: item.input }
  for (const [, name = ''] of body.prompt_template.matchAll(placeholders)) {
    if (!Object.hasOwn(all, name))
      throw invalidField(['body', 'prompt_template'], `names {${name}}, which the example ${i + 1} (${example.example_id}) does not have`)
  }
  const targets = targetsFrom(item, from)
  if (targets.length === 0)
    throw invalidField(
      ['body', 'evaluator_version_id'],
      `compares with a value that the example ${i + 1} (${example.example_id}) does not have`,
    )
  return {
    id: example.example_id,
    split: 'test',
    fields: all,
    targets,
    choices: null,
    metadata: example.metadata ?? {},
    capabilities: [],
    dependsOn: [],
  }
}

function groupValues(tasks: readonly Task[], { group_by: key, critical_values: critical }: NewDatasetSuite): string[] {
  if (key === undefined) {
    if (critical.length > 0) throw invalidField(['body', 'critical_values'], 'needs group_by, whose values it names')
    return ['']
  }
  const without = tasks.find(task => typeof task.metadata[key] !== 'string')
  if (without) throw invalidField(['body', 'group_by'], `the example ${without.id} has no text under the metadata key "${key}"`)
  const values = [...new Set(tasks.map(task => String(task.metadata[key])))]
  if (values.length > mostGroups)
    throw invalidField(['body', 'group_by'], `has ${values.length} values; a suite has at most ${mostGroups} groups`)
  const unknown = critical.find(value => !values.includes(value))
  if (unknown !== undefined) throw invalidField(['body', 'critical_values'], `"${unknown}" is no value of "${key}" in this version`)
  return values
}

function keyOf(value: string, i: number): string {
  const slug = value
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 50)
  return `${slug || 'group'}-${i + 1}`
}

function metricOf(scorer: string, options: Readonly<Record<string, unknown>>, title: string): Metric {
  const { version } = scorerById(scorer)
  return { id: 'evaluator', title, scorer, scorer_version: version, options, binary: isBinaryScorer({ scorer, options }), primary: true }
}

function definitionOf(datasetId: string, version: number, body: NewDatasetSuite, metric: Metric): BenchmarkDefinition {
  const slug = `dataset-${datasetId}`
  return {
    slug,
    provider: 'local',
    name: slug,
    title: body.name,
    summary: `Examples of version ${version} of a dataset of this workspace.`,
    description: 'Made of the frozen examples of a dataset version for release decisions.',
    howMade: 'Each approved example is a task; its metadata stays with it.',
    knownLimits: [],
    runner: 'inspect',
    capabilities: [],
    license: { name: 'private', url: null },
    citation: null,
    homepage: null,
    profiles: [
      {
        key: 'release',
        title: 'Release',
        summary: 'One question, one answer.',
        split: 'test',
        systemPrompt: null,
        promptTemplate: body.prompt_template,
        shotTemplate: null,
        shots: 0,
        generation: { temperature: 0, max_output_tokens: 2048, stop: [] },
        metrics: [metric],
        requires: [],
        chanceLevel: null,
        breakdowns: body.group_by === undefined ? [] : [body.group_by],
      },
    ],
  }
}
