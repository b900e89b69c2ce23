import { invalidField } from '../../contract/errors.ts'
import { Name } from '../../contract/primitives.ts'
import type { DatasetSuite, NewDatasetSuite } from '../../contract/releases/dataset-suite.schemas.ts'
import type { Task } from '../../engine/tasks/task.ts'
import type { Evaluators } from '../evaluators/index.ts'
import type { ReleaseSuites } from './suites.service.ts'

export interface DatasetSuiteDependencies {
  readonly evaluators: Pick<Evaluators, 'benchmarks'>
  readonly suites: ReleaseSuites
}

export type DatasetSuites = ReturnType<typeof createDatasetSuites>

const mostGroups = 50

/** Release suites of datasets: frozen examples as the tasks of a benchmark that only the workspace sees. */
export function createDatasetSuites({ evaluators: { benchmarks }, suites }: DatasetSuiteDependencies) {
  return {
    create: async (workspaceId: string, datasetId: string, versionId: string, body: NewDatasetSuite): Promise<DatasetSuite> => {
      const read = await benchmarks.read(workspaceId, { datasetId, versionId }, body.evaluator_version_id, body.prompt_template)
      const { version, tasks } = read
      const values = groupValues(tasks, body)
      const { slug, source_ref, profile_id } = await benchmarks.make(workspaceId, read, {
        slug: `dataset-${version.dataset_id}`,
        title: body.name,
        description: 'Made of the frozen examples of a dataset version for release decisions.',
        profile: { key: 'release', title: 'Release' },
        promptTemplate: body.prompt_template,
        breakdowns: body.group_by === undefined ? [] : [body.group_by],
      })
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
          selection: { task_selections: [{ source_ref, split: 'test' as const, task_ids: members.map(({ id }) => id) }] },
        }
      })
      const suite = suites.createOnce(workspaceId, {
        name: body.name,
        description: `Examples of dataset version ${version.version}, ${version.digest.slice(0, 12)}.`,
        previous_version_id: null,
        groups,
      })
      return { suite, benchmark: { slug, source_ref, profile_id } }
    },
  }
}

function groupValues(tasks: readonly Task[], { group_by: key, critical_values: critical }: NewDatasetSuite): string[] {
  if (key === undefined) {
    if (critical.length > 0) throw invalidField(['body', 'critical_values'], 'needs group_by, whose values it names')
    return ['']
  }
  const without = tasks.find(task => typeof task.metadata[key] !== 'string')
  if (without) throw invalidField(['body', 'group_by'], `the example ${without.id} has no text under the metadata key "${key}"`)
  // A suite is named by them, and one that is stored with another name could never be read again.
  const unfit = tasks.find(task => Name.safeParse(task.metadata[key]).data !== task.metadata[key])
  if (unfit)
    throw invalidField(
      ['body', 'group_by'],
      `the example ${unfit.id} has ${JSON.stringify(String(unfit.metadata[key]).slice(0, 60))} under "${key}", which can't name a group: 1 to 200 characters, no control characters or spaces around it`,
    )
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
