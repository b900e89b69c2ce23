import { z } from 'zod'
import type { DatasetVersion, FrozenExample } from '../../contract/datasets/dataset-versions.schemas.ts'
import { invalidField, notFound } from '../../contract/errors.ts'
import { type Draft, type DraftCandidate, NewDraft } from '../../contract/evaluators/calibrations.schemas.ts'
import { draftMachine } from '../../contract/evaluators/draft.machine.ts'
import { JudgeModel } from '../../contract/evaluators/evaluator-definition.schemas.ts'
import type { JobOwner } from '../../contract/jobs/jobs.schemas.ts'
import { predictLabel } from '../../engine/grading/calibration/predict-label.ts'
import { crossValidate } from '../../engine/grading/drafting/cross-validate.ts'
import { transition } from '../../storage/transition.ts'
import type { Workers } from '../../workers/pool.ts'
import type { Datasets } from '../datasets/index.ts'
import type { JobContext, Jobs } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { askForText } from './ask-for-text.ts'
import {
  type DraftResult,
  type DraftRow,
  findDraft,
  insertDraft,
  listDrafts,
  storeDraftProgress,
  storeDraftResult,
  toDraft,
} from './drafts.store.ts'
import { exampleItem } from './evaluated-item.ts'
import type { EvaluatorTree } from './evaluator-tree.ts'
import { evaluationJob } from './evaluation-job.ts'
import { fenceSeedOf, judgeOwner, openBudget, spentBy } from './judge-budgets.store.ts'
import { boundarySource } from './judge-calls.store.ts'
import { holdUnder, type JudgeHold, nothingHeld, readyJudges, sharedCap } from './judge-cap.ts'
import { judgeFor, shownExamples, writerPrompt } from './judge-draft.ts'
import { labelMenu } from './label-menu.ts'
import { type EvaluationDependencies, openEvaluation } from './open-evaluation.ts'
import { writerFacts } from './open-judges.ts'

const column = { table: 'evaluator_drafts', column: 'status' } as const
const Input = z.strictObject({ draft_id: z.string() })
type Input = z.infer<typeof Input>

const mostCandidates = 10
/** Labeled examples that a drafted judge is measured on. */
const mostJudged = 100
const fewestLabeled = 20

export interface DraftsDependencies extends EvaluationDependencies {
  readonly datasets: Datasets
  readonly jobs: Jobs
  readonly workers: Pick<Workers, 'score' | 'readVerdict' | 'draft'>
}

export type Drafts = ReturnType<typeof createDrafts>

export function createDrafts(kernel: Kernel, dependencies: DraftsDependencies) {
  const { db, ids, clock } = kernel
  const { datasets, jobs, workers, connections } = dependencies

  const rowOf = (workspaceId: string, id: string): DraftRow => {
    const row = findDraft(db, id)
    if (row?.workspace_id !== workspaceId) throw notFound('evaluator draft', id)
    return row
  }
  const ownerOf = (row: Pick<DraftRow, 'id' | 'workspace_id'>, owner: JobOwner) => judgeOwner('draft', row, owner)
  const progressTo = (job: JobContext<Input>, id: string, done: number, total: number) => {
    job.commit(() => storeDraftProgress(db, id, done, total))
    job.progress({ done, total })
  }

  const heuristic = async (job: JobContext<Input>, row: DraftRow, request: NewDraft, version: DatasetVersion): Promise<DraftResult> => {
    const of = { versionNo: datasets.versions.versionNo(row.workspace_id, version.id), menu: labelMenu(version) }
    const { definitions, majority } = await workers.draft({ kind: 'candidates', ...of }, job.signal)
    const candidates: DraftCandidate[] = []
    const rejected: DraftResult['rejected'] = []
    for (const [i, definition] of definitions.entries()) {
      const measured = await workers.draft({ kind: 'measure', definition, seed: request.seed, ...of }, job.signal)
      const reason = whyRejected(measured, majority?.share ?? 0)
      if (reason === null) candidates.push({ definition, ...measured })
      else rejected.push({ reason: `${definition.scorer} ${JSON.stringify(definition.options)}: ${reason}` })
      progressTo(job, row.id, i + 1, definitions.length)
    }
    const ranked = candidates.toSorted(byLowerEnd)
    if (definitions.length === 0)
      rejected.push({ reason: 'No scorer fits the shape of these examples. A judge may: draft with mode model.' })
    return { majority, beats_majority: beatsMajority(ranked, majority?.share ?? 0), candidates: ranked.slice(0, mostCandidates), rejected }
  }

  const byModel = async (job: JobContext<Input>, row: DraftRow, request: NewDraft, version: DatasetVersion): Promise<DraftResult> => {
    const labeled = labeledExamples(datasets, row.workspace_id, version.id, shownExamples + mostJudged)
    const majority = majorityOf(labeled)
    const [shown, measured] = [labeled.slice(0, shownExamples), labeled.slice(shownExamples)]
    const owner = ownerOf(row, job.owner)
    const cap = sharedCap(request.max_charge_microusd === undefined ? null : BigInt(request.max_charge_microusd), spentBy(db, owner))
    const setting = { owner, spendingOf: () => cap, signal: job.signal }
    const model = JudgeModel.parse({ model: request.model })
    const instructions = await askForText(kernel, dependencies, {
      ...setting,
      versionId: row.id,
      item: 'instructions',
      definition: judgeFor(version, model, 'Write instructions.'),
      prompt: () => writerPrompt(version, shown, request.goal, boundarySource(fenceSeedOf(db, owner), 'instructions')),
    })
    const definition = judgeFor(version, model, instructions)
    const tree: EvaluatorTree = { id: row.id, name: 'draft', version: 1, definition, parts: [] }
    const evaluation = await openEvaluation(kernel, dependencies, tree, setting)
    try {
      const evaluated = await evaluation.evaluate(measured.map(exampleItem))
      const menu = labelMenu(version)
      const labels = menu.task === 'score' ? definition.menu.map(({ value }) => value) : menu.labels
      const items = measured.flatMap((example, i) => {
        const one = evaluated[i]
        return one ? [{ exampleId: example.example_id, label: String(example.label), prediction: predictLabel(one.score, menu) }] : []
      })
      const candidate: DraftCandidate = { definition, ...crossValidate(items, labels, request.seed) }
      return { majority, beats_majority: beatsMajority([candidate], majority?.share ?? 0), candidates: [candidate], rejected: [] }
    } finally {
      await evaluation.close()
    }
  }

  /** What its calls may cost. @throws ApiError for a model that can't be used */
  const holdOf = (workspaceId: string, { mode, model, max_charge_microusd: cap, dataset_version_id: versionId }: NewDraft): JudgeHold => {
    if (mode === 'heuristic') return nothingHeld
    if (!model) throw invalidField(['body', 'model'], 'is required for the mode model', 'missing')
    const writer = JudgeModel.parse({ model })
    writerFacts(connections, workspaceId, writer, ['body', 'model'])
    const definition = judgeFor(datasets.versions.read(workspaceId, versionId), writer, 'Write instructions.')
    const judges = readyJudges(connections, workspaceId, { id: '', name: 'draft', version: 1, definition, parts: [] })
    return holdUnder(judges, cap === undefined ? null : BigInt(cap))
  }

  jobs.register(
    evaluationJob(kernel, dependencies, {
      kind: 'evaluator_draft',
      input: Input,
      payer: 'draft',
      table: 'evaluator_drafts',
      idOf: ({ draft_id: id }) => id,
      find: id => findDraft(db, id),
      isQueued: ({ status }) => status === 'queued',
      step: (id, event, now, note) => transition(db, draftMachine, column, id, event, now, note),
      execute: async (job, row) => {
        const request = NewDraft.parse(JSON.parse(row.request))
        const version = datasets.versions.read(row.workspace_id, row.dataset_version_id)
        const result = await (request.mode === 'model' ? byModel : heuristic)(job, row, request, version)
        return now => {
          storeDraftResult(db, row.id, result, now)
          transition(db, draftMachine, column, row.id, 'ready', now)
        }
      },
      hold: row => holdOf(row.workspace_id, NewDraft.parse(JSON.parse(row.request))),
    }),
  )

  const read = (workspaceId: string, id: string): Draft => toDraft(db, rowOf(workspaceId, id))
  return {
    read,
    list: (workspaceId: string, query: Parameters<typeof listDrafts>[2]) => listDrafts(db, workspaceId, query),
    create: (workspaceId: string, owner: JobOwner, request: NewDraft): Draft => {
      const version = datasets.versions.read(workspaceId, request.dataset_version_id)
      if (version.labeled_count < fewestLabeled)
        throw invalidField(
          ['body', 'dataset_version_id'],
          `the version has ${version.labeled_count} labeled examples; a draft needs at least ${fewestLabeled}`,
        )
      if (version.task === 'pairwise' && request.mode === 'heuristic')
        throw invalidField(['body', 'mode'], 'no scorer compares two outputs; draft a judge with the mode model')
      if (version.task === 'score' && request.mode === 'heuristic')
        throw invalidField(['body', 'mode'], 'scorers are fitted to labels, not to scores; draft a judge with the mode model')
      const hold = holdOf(workspaceId, request)
      return db.transaction(() => {
        const id = ids.next()
        openBudget(db, ownerOf({ id, workspace_id: workspaceId }, owner), hold, timestamp(clock))
        const jobId = jobs.enqueue('evaluator_draft', {
          workspaceId,
          owner,
          input: { draft_id: id },
          subject: { type: 'evaluator_draft', id },
        })
        insertDraft(db, { id, workspaceId, jobId, request, total: request.mode === 'model' ? 1 : 0, createdAt: timestamp(clock) })
        return read(workspaceId, id)
      })
    },
  }
}

function whyRejected(
  { agreement, kappa, unscored }: Pick<DraftCandidate, 'agreement' | 'kappa' | 'unscored'>,
  majority: number,
): string | null {
  if (unscored === agreement.n) return 'it has a verdict for none of the examples.'
  if (kappa === null || kappa <= 0) return 'it agrees with the labels no more than chance would.'
  return (agreement.mean ?? 0) > majority
    ? null
    : `it agrees in ${Math.round((agreement.mean ?? 0) * 100)} % of the examples, and the commonest label alone would in ${Math.round(majority * 100)} %.`
}

function byLowerEnd(a: DraftCandidate, b: DraftCandidate): number {
  return (b.agreement.interval?.low ?? 0) - (a.agreement.interval?.low ?? 0)
}

function beatsMajority(candidates: readonly DraftCandidate[], majority: number): boolean {
  return candidates.some(({ agreement }) => (agreement.interval?.low ?? 0) > majority)
}

function labeledExamples(datasets: Datasets, workspaceId: string, versionId: string, most: number): FrozenExample[] {
  const found: FrozenExample[] = []
  for (const examples of datasets.versions.eachExample(workspaceId, versionId, 250)) {
    found.push(...examples.filter(({ label, output }) => label !== null && output !== null))
    if (found.length >= most) break
  }
  return found.slice(0, most)
}

function majorityOf(examples: readonly FrozenExample[]): DraftResult['majority'] {
  const counts = Map.groupBy(examples, ({ label }) => String(label))
  const [first] = [...counts].sort(([, a], [, b]) => b.length - a.length)
  return first ? { label: first[0], share: first[1].length / examples.length } : null
}
