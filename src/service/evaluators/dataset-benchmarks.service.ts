import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Metric } from '../../contract/catalog/benchmarks.schemas.ts'
import type { DatasetVersion } from '../../contract/datasets/dataset-versions.schemas.ts'
import { ApiError, invalidField } from '../../contract/errors.ts'
import type { DatasetBenchmark, NewDatasetBenchmark, TaskExample } from '../../contract/evaluators/dataset-benchmarks.schemas.ts'
import type { EvaluatorDefinition } from '../../contract/evaluators/evaluator-definition.schemas.ts'
import { filesIn } from '../../contract/messages/messages.schemas.ts'
import { slugOf } from '../../engine/content/benchmarks/own-benchmark.ts'
import type { Task } from '../../engine/tasks/task.ts'
import type { PageQuery } from '../../storage/keyset.ts'
import { createPrivateBenchmark, findOwnVersion, isKnownSlug, ownVersionNo } from '../catalog/index.ts'
import type { Datasets } from '../datasets/index.ts'
import type { Media } from '../media/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { definitionOf, type ExampleBenchmark, evaluatorAsPrimary, metricOf, taskOf } from './benchmark-of-examples.ts'
import { datasetsOfSlug, findDatasetBenchmark, insertDatasetBenchmark, listDatasetBenchmarks } from './dataset-benchmarks.store.ts'
import { evaluatorsIn, type EvaluatorTree } from './evaluator-tree.ts'
import type { EvaluatorRecords } from './evaluators.service.ts'

/** Frozen examples as the tasks of a benchmark that is not made yet. */
export interface ReadExamples {
  readonly version: DatasetVersion
  readonly evaluatorVersionId: string
  readonly metric: Metric
  readonly tasks: readonly Task[]
}

/** Files that examples show are kept as long as the benchmark version. */
export type KeptMedia = Pick<Media, 'find' | 'keep'>

/** Examples made tasks between two looks at other requests. */
const batch = 100

/** Benchmarks that are made of dataset versions, and the way back from their tasks to the examples. */
export function createDatasetBenchmarks(
  kernel: Pick<Kernel, 'db' | 'clock'>,
  { datasets, records, media }: { readonly datasets: Datasets; readonly records: EvaluatorRecords; readonly media: KeptMedia },
) {
  const { db, clock } = kernel

  /** @throws ApiError validation_error for examples that can't be asked or graded so */
  const read = async (
    workspaceId: string,
    of: { readonly datasetId: string; readonly versionId: string },
    evaluatorVersionId: string,
    promptTemplate: string,
  ): Promise<ReadExamples> => {
    const version = datasets.versions.readOf(workspaceId, of.datasetId, of.versionId)
    const snapshot = records.read(workspaceId, evaluatorVersionId)
    const { id, definition: evaluator, name } = snapshot
    const isPairwise = ({ definition }: Pick<EvaluatorTree, 'definition'>) =>
      definition.kind === 'model_graded' && definition.mode === 'pairwise'
    if (evaluatorsIn(records.tree(workspaceId, id)).some(isPairwise))
      throw invalidField(['body', 'evaluator_version_id'], `"${name}" compares two outputs; a run has one for each task`)
    const metric = evaluator.kind === 'deterministic' ? metricOf(evaluator.scorer, evaluator.options, name) : evaluatorAsPrimary(snapshot)
    const from = targetsNeededBy(evaluator)
    const tasks: Task[] = []
    for (const examples of datasets.versions.eachExample(workspaceId, version.id, batch)) {
      for (const example of examples) tasks.push(taskOf(example, tasks.length, promptTemplate, from))
      await nextTurn()
    }
    return { version, evaluatorVersionId: id, metric, tasks }
  }

  /** Makes the benchmark version, or finds it where the workspace has it. */
  const make = async (
    workspaceId: string,
    { version, evaluatorVersionId, metric, tasks }: ReadExamples,
    benchmark: ExampleBenchmark,
  ): Promise<DatasetBenchmark> => {
    const definition = definitionOf(version, benchmark, metric)
    const { sourceRef } = await createPrivateBenchmark(kernel, workspaceId, { definition, tasks, shots: [] }, made => {
      // A dataset that was deleted meanwhile may have given only some of its examples.
      datasets.versions.readOf(workspaceId, version.dataset_id, version.id)
      const [profileId = ''] = made.profileIds
      const files = filesIn(tasks.flatMap(({ conversations = {} }) => Object.values(conversations).flat()))
      const kept = files.flatMap(({ media: digest }) => media.find(workspaceId, digest) ?? [])
      const versionNo = ownVersionNo(db, workspaceId, made.sourceRef)
      if (versionNo === null) throw new Error(`The benchmark ${made.sourceRef} was made and is missing.`)
      if (kept.length > 0) media.keep(workspaceId, { versionNo }, kept)
      insertDatasetBenchmark(db, workspaceId, {
        slug: made.slug,
        title: benchmark.title,
        source_ref: made.sourceRef,
        profile_id: profileId,
        dataset_version_id: version.id,
        evaluator_version_id: evaluatorVersionId,
        created_at: timestamp(clock),
      })
    })
    const made = findDatasetBenchmark(db, workspaceId, sourceRef, version.id)
    if (!made) throw new Error(`The benchmark ${sourceRef} was made and is missing.`)
    return made
  }

  /** A name that means another benchmark already is refused, since both would share their versions. */
  const requireOwnSlug = (workspaceId: string, slug: string, datasetId: string): void => {
    const others = datasetsOfSlug(db, workspaceId, slug)
    const isTaken = others.length === 0 ? findOwnVersion(db, workspaceId, slug, {}) !== null : !others.includes(datasetId)
    if (isKnownSlug(slug) || isTaken)
      throw invalidField(['body', 'name'], `makes the slug "${slug}", which another benchmark has; choose another name`)
  }

  return {
    read,
    make,
    create: async (
      workspaceId: string,
      of: { readonly datasetId: string; readonly versionId: string },
      { name, evaluator_version_id, prompt_template, system_prompt, max_output_tokens }: NewDatasetBenchmark,
    ): Promise<DatasetBenchmark> => {
      const slug = slugOf(name)
      const { dataset_id, task } = datasets.versions.readOf(workspaceId, of.datasetId, of.versionId)
      if (task === 'pairwise')
        throw new ApiError(
          'conflict',
          'A pairwise dataset compares two stored outputs; a benchmark asks one question. Use another dataset.',
        )
      requireOwnSlug(workspaceId, slug, dataset_id)
      return make(workspaceId, await read(workspaceId, of, evaluator_version_id, prompt_template), {
        slug,
        title: name,
        description: 'Made of the frozen examples of a dataset version.',
        profile: { key: 'answer', title: 'Question and answer' },
        promptTemplate: prompt_template,
        systemPrompt: system_prompt,
        maxOutputTokens: max_output_tokens,
        breakdowns: [],
      })
    },
    list: (workspaceId: string, datasetId: string, versionId: string, query: PageQuery) =>
      listDatasetBenchmarks(db, datasets.versions.readOf(workspaceId, datasetId, versionId).id, query),

    /** The example that a benchmark's task was made of; null for tasks that come from elsewhere. */
    exampleOf: (workspaceId: string, sourceRef: string, taskId: string): TaskExample | null => {
      const found = findDatasetBenchmark(db, workspaceId, sourceRef)
      if (!found) return null
      const example = datasets.versions.example(workspaceId, found.dataset_version_id, taskId)
      if (!example) return null
      return {
        dataset_id: datasets.versions.read(workspaceId, found.dataset_version_id).dataset_id,
        dataset_version_id: found.dataset_version_id,
        example_id: example.example_id,
        revision: example.revision,
        origin: example.origin,
      }
    },
  }
}

/** Judges may compare with what an example expects; the parts of a composite and remote scorers take what there is. */
function targetsNeededBy(evaluator: EvaluatorDefinition) {
  if (evaluator.kind === 'deterministic') return evaluator.target_from
  return evaluator.kind === 'model_graded' && evaluator.reference === 'expected' ? 'expected' : null
}
