import { z } from 'zod'
import { createHash } from 'node:crypto'
import type { Metric } from '../../contract/catalog/benchmarks.schemas.ts'
import { ApiError, invalidField, requireFound } from '../../contract/errors.ts'
import { deepestComposite, type EvaluatorDefinition, mostEvaluators } from '../../contract/evaluators/evaluator-definition.schemas.ts'
import type {
  EvaluatorOptions,
  EvaluatorSnapshot,
  NewEvaluator,
  Preview,
  PreviewRequest,
  TriedEvaluator,
  TryEvaluator,
} from '../../contract/evaluators/evaluators.schemas.ts'
import { predictLabel } from '../../engine/grading/calibration/predict-label.ts'
import { combineParts } from '../../engine/grading/evaluators/combine-parts.ts'
import { completeJudge, questionPlaces } from '../../engine/grading/judges/judge-plan.ts'
import { buildJudgePrompt } from '../../engine/grading/judges/judge-prompt.ts'
import { verdictParserVersion } from '../../engine/grading/judges/parse-verdict.ts'
import { judgePresets } from '../../engine/grading/judges/presets.ts'
import { codeScorers } from '../../engine/grading/scorers/code/code-scorers.ts'
import { scorers } from '../../engine/grading/scorers/registry.ts'
import type { Score } from '../../engine/grading/scorers/scorer.ts'
import { upstreamRelease } from '../../engine/grading/scorers/upstream-release.ts'
import { preparedVersion } from '../../engine/grading/scorers/scorer-version.ts'
import type { Workers } from '../../workers/pool.ts'
import type { Connections } from '../connections/index.ts'
import type { Datasets } from '../datasets/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { scorerProblem } from '../scorer-problem.ts'
import { embeddingQuestion, plannedTexts } from './compare-embeddings.ts'
import { type EvaluatedItem, exampleItem } from './evaluated-item.ts'
import { evaluatorsIn, type EvaluatorTree, evaluatorTree } from './evaluator-tree.ts'
import {
  type EvaluatorsQuery,
  findEvaluator,
  findSameEvaluator,
  insertEvaluator,
  listEvaluators,
  protocolOf,
  type StoredEvaluator,
} from './evaluators.store.ts'
import { labelMenu } from './label-menu.ts'
import { gradeBatch, withoutReasoning } from './open-evaluation.ts'
import { judgeFacts, modelFacts } from './open-judges.ts'
import { priceOne } from './quote-calibration.ts'
import { type RemoteScorers, scorerRequest } from './remote-scorers.service.ts'

export interface EvaluatorsDependencies {
  readonly connections: Connections
  readonly datasets: Datasets
  readonly workers: Pick<Workers, 'score' | 'try' | 'checkScorer'>
  readonly remoteScorers: Pick<RemoteScorers, 'find' | 'require'>
}

export type EvaluatorRecords = ReturnType<typeof createEvaluatorRecords>

type Loc = readonly (string | number)[]

/** What a definition needs, once it was found good. */
interface Checked {
  readonly definition: EvaluatorDefinition
  readonly depth: number
  readonly modelCalls: number
  readonly needsSandbox: boolean
  readonly digest: string
}

/** What a definition is called that is not saved. */
const unsavedName = 'the evaluator'

/** Evaluator versions: saving, reading, and trying them on one output. */
export function createEvaluatorRecords(kernel: Kernel, { connections, datasets, workers, remoteScorers }: EvaluatorsDependencies) {
  const { db, ids, clock } = kernel
  const stored = (workspaceId: string, id: string): StoredEvaluator =>
    requireFound(findEvaluator(db, workspaceId, id), 'evaluator version', id)
  const check = (workspaceId: string, given: EvaluatorDefinition, loc: Loc): Checked => {
    const of = (definition: EvaluatorDefinition, covered: readonly unknown[], rest: Partial<Checked> = {}): Checked => ({
      definition,
      depth: 1,
      modelCalls: 0,
      needsSandbox: false,
      digest: createHash('sha256')
        .update(JSON.stringify([definition, ...covered]))
        .digest('hex'),
      ...rest,
    })
    if (given.kind === 'deterministic') return of(given, [preparedVersion(given)], { needsSandbox: codeScorers.has(given.scorer) })
    if (given.kind === 'model_graded') {
      const judge = completeJudge(given)
      for (const [i, model] of judge.judges.entries()) judgeFacts(connections, workspaceId, model, [...loc, 'judges', i, 'model'])
      return of(judge, [{ verdict_parser: verdictParserVersion }], { modelCalls: callsOf(judge) })
    }
    if (given.kind === 'embedding') {
      modelFacts(connections, workspaceId, given, loc)
      return of(given, [], { modelCalls: callsOf(given) })
    }
    if (given.kind === 'remote') {
      if (!remoteScorers.find(workspaceId, given.remote_scorer_id))
        throw invalidField([...loc, 'remote_scorer_id'], `there is no remote scorer "${given.remote_scorer_id}" in this workspace`)
      return of(given, [])
    }
    const parts = given.parts.map(({ evaluator_version_id: id }, i) => {
      const part = findEvaluator(db, workspaceId, id)
      if (!part) throw invalidField([...loc, 'parts', i, 'evaluator_version_id'], `there is no evaluator version "${id}" in this workspace`)
      return part
    })
    const depth = 1 + Math.max(...parts.map(part => part.depth))
    if (depth > deepestComposite)
      throw invalidField([...loc, 'parts'], `composites nest at most ${deepestComposite} levels deep, and this one would have ${depth}`)
    const all = evaluatorsIn(evaluatorTree(db, workspaceId, { id: 'new', name: 'new', version: 1, definition: given }))
    if (all.length > mostEvaluators)
      throw invalidField(
        [...loc, 'parts'],
        `a composite holds at most ${mostEvaluators} different evaluators, those of its parts included, and this one would hold ${all.length}`,
      )
    return of(
      given,
      parts.map(({ snapshot }) => snapshot.digest),
      {
        depth,
        modelCalls: all.reduce((sum, { definition }) => sum + callsOf(definition), 0),
        needsSandbox: parts.some(({ snapshot }) => snapshot.requires.sandbox),
      },
    )
  }
  /** @throws ApiError validation_error where a scorer is not known or its options cannot be prepared, which is tried in a thread */
  const requireScorer = async (spec: Pick<Metric, 'scorer' | 'options'>, loc: Loc, signal: AbortSignal, whose = ''): Promise<void> => {
    const problem = await scorerProblem(workers, spec, signal)
    if (problem) throw invalidField(loc, whose + problem.message)
  }
  const requireUsable = async (definition: EvaluatorDefinition, signal: AbortSignal): Promise<void> => {
    if (definition.kind === 'deterministic') await requireScorer(definition, ['body', 'definition', 'scorer'], signal)
  }
  /** Of deterministic evaluators and composites of them alone, each once. Somebody waits for it. */
  const gradeNow = (tree: EvaluatorTree, item: EvaluatedItem, signal: AbortSignal): Promise<Score> => {
    const graded = new Map<EvaluatorTree, Promise<Score>>()
    const evaluate = async ({ definition, parts }: EvaluatorTree): Promise<Score> => {
      if (definition.kind === 'composite') {
        const scores: Score[] = []
        for (const part of parts) {
          const score = graded.get(part) ?? evaluate(part)
          graded.set(part, score)
          scores.push(await score)
        }
        return combineParts(definition, scores)
      }
      if (definition.kind !== 'deterministic') throw new Error(`A ${definition.kind} evaluator was about to be graded without its calls.`)
      const now: Pick<Workers, 'score'> = codeScorers.has(definition.scorer)
        ? workers
        : {
            score: async (metrics, inputs) =>
              Promise.all(inputs.map(async input => ({ scores: await workers.try(metrics, input, signal), tokens: null }))),
          }
      const [evaluated] = await withoutReasoning([item], answers => gradeBatch(now, definition, answers))
      if (!evaluated) throw new Error('The scorer gave no score.')
      return evaluated.score
    }
    return evaluate(tree)
  }
  const treeOf = (workspaceId: string, id: string) => evaluatorTree(db, workspaceId, stored(workspaceId, id).snapshot)

  /** @returns the commit that makes it */
  const create = async (
    workspaceId: string,
    { name, description, previous_version_id, definition }: NewEvaluator,
    signal: AbortSignal,
  ): Promise<() => EvaluatorSnapshot> => {
    await requireUsable(definition, signal)
    return () => {
      const checked = check(workspaceId, definition, ['body', 'definition'])
      const previous = previous_version_id === null ? null : stored(workspaceId, previous_version_id).snapshot
      if (previous && !previous.latest)
        throw new ApiError(
          'conflict',
          `Version ${previous.version} of this evaluator is followed by a later one already. Read the latest version and build on that.`,
        )
      const id = ids.next()
      const snapshot: EvaluatorSnapshot = {
        id,
        evaluator_id: previous?.evaluator_id ?? id,
        version: (previous?.version ?? 0) + 1,
        previous_version_id: previous?.id ?? null,
        latest: true,
        name,
        description,
        definition: checked.definition,
        digest: checked.digest,
        requires: { model_calls_per_output: checked.modelCalls, sandbox: checked.needsSandbox },
        protocol: protocolOf(checked.definition),
        calibration: { status: 'none' },
        created_at: timestamp(clock),
      }
      insertEvaluator(db, { workspaceId, depth: checked.depth, snapshot })
      return stored(workspaceId, id).snapshot
    }
  }

  return {
    read: (workspaceId: string, id: string): EvaluatorSnapshot => stored(workspaceId, id).snapshot,
    find: (workspaceId: string, id: string): EvaluatorSnapshot | null => findEvaluator(db, workspaceId, id)?.snapshot ?? null,
    list: (workspaceId: string, query: EvaluatorsQuery) => listEvaluators(db, workspaceId, query),
    tree: treeOf,
    requireScorer,
    options: (): EvaluatorOptions => ({
      scorers: [
        ...[...scorers.values()].map(scorer => describeScorer(scorer, false)),
        ...[...codeScorers.values()].map(scorer => describeScorer(scorer, true)),
      ],
      presets: judgePresets.map(preset => ({ ...preset, definition: { ...preset.definition } })),
    }),

    create,
    /** The version of that name and definition, made where there is none. */
    ensure: async (
      workspaceId: string,
      evaluator: Omit<NewEvaluator, 'previous_version_id'>,
      signal: AbortSignal,
    ): Promise<EvaluatorSnapshot> => {
      const { digest } = check(workspaceId, evaluator.definition, ['body'])
      return (
        findSameEvaluator(db, workspaceId, evaluator.name, digest) ??
        db.transaction(await create(workspaceId, { ...evaluator, previous_version_id: null }, signal))
      )
    },

    /** What a definition that is not saved would be asked with. @throws ApiError validation_error for one that calls nothing */
    prepareTrial: async (workspaceId: string, id: string, { definition, ...output }: TryEvaluator, signal: AbortSignal) => {
      const loc = ['body', 'definition']
      await requireUsable(definition, signal)
      const { definition: complete } = check(workspaceId, definition, loc)
      requireShape(complete, output.output)
      const tree = evaluatorTree(db, workspaceId, { id, name: unsavedName, version: 1, definition: complete })
      if (!evaluatorsIn(tree).some(makesCalls)) throw invalidField(loc, 'calls nothing; send it to POST /v1/workload-evaluators/try')
      return { tree, item: itemOf(output) }
    },

    /** Verdict of a deterministic definition, a judge's exact prompt, or a remote scorer's request. Makes no calls. */
    try: async (workspaceId: string, { definition, ...tried }: TryEvaluator, signal: AbortSignal): Promise<TriedEvaluator> => {
      await requireUsable(definition, signal)
      const { definition: complete, modelCalls } = check(workspaceId, definition, ['body', 'definition'])
      const item = itemOf(tried)
      const cost = () => {
        const tree = evaluatorTree(db, workspaceId, { id: 'try', name: unsavedName, version: 1, definition: complete })
        return priceOne(connections, workspaceId, tree, item)
      }
      if (complete.kind === 'remote') {
        const owner = { kind: 'draft', id: 'try' } as const
        const question = { owner, item, requestId: 'msg_try', name: unsavedName, version: 1, options: complete.options }
        const { timeout_ms: timeoutMs } = remoteScorers.require(workspaceId, complete.remote_scorer_id)
        return { kind: 'request', request: scorerRequest(question, timeoutMs) }
      }
      if (complete.kind === 'model_graded') {
        const { input, targets } = item
        const material = { input, output: tried.output, reference: targets.length === 0 ? null : targets.join('\n') }
        requireShape(complete, tried.output)
        const questions = questionPlaces(complete)
          .filter(({ judge, vote }) => judge === 0 && vote === 0)
          .map(place => ({
            judge: place.judge,
            order: place.order,
            criterion: place.criterion,
            messages: [...buildJudgePrompt(complete, place, material, boundary).messages],
          }))
        return { kind: 'prompt', questions, model_calls_per_output: modelCalls, ...cost() }
      }
      if (complete.kind === 'embedding') {
        const planned = plannedTexts(complete, item)
        if ('class' in planned) return { kind: 'verdict', ...verdictOf(planned), duration_ms: 0 }
        const { judge, order, criterion, prompt } = embeddingQuestion(planned.texts)
        return {
          kind: 'prompt',
          questions: [{ judge, order, criterion, messages: [...prompt.messages] }],
          model_calls_per_output: modelCalls,
          ...cost(),
        }
      }
      const tree = evaluatorTree(db, workspaceId, { id: 'try', name: unsavedName, version: 1, definition: complete })
      refuseCalls(tree, ['body', 'definition'])
      const { score, ms } = await timed(() => gradeNow(tree, item, signal))
      return { kind: 'verdict', ...verdictOf(score), duration_ms: ms }
    },

    preview: async (
      workspaceId: string,
      { evaluator_version_id, dataset_version_id, example_id }: PreviewRequest,
      signal: AbortSignal,
    ): Promise<Preview> => {
      const found = findEvaluator(db, workspaceId, evaluator_version_id)
      if (!found)
        throw invalidField(['body', 'evaluator_version_id'], `there is no evaluator version "${evaluator_version_id}" in this workspace`)
      const tree = evaluatorTree(db, workspaceId, found.snapshot)
      refuseCalls(tree, ['body', 'evaluator_version_id'])
      const version = datasets.versions.read(workspaceId, dataset_version_id)
      const example = datasets.versions.example(workspaceId, dataset_version_id, example_id)
      if (!example) throw invalidField(['body', 'example_id'], `the dataset version has no example "${example_id}"`)
      const { score, ms } = await timed(() => gradeNow(tree, exampleItem(example), signal))
      const prediction = predictLabel(score, labelMenu(version))
      const verdict = prediction.kind === 'label' ? prediction.label : null
      return {
        ...verdictOf(score),
        label: example.label,
        verdict,
        agrees: example.label === null || verdict === null ? null : String(example.label) === verdict,
        duration_ms: ms,
      }
    },
  }
}

/** Calls of models for one output, without those of its parts. */
function callsOf(definition: EvaluatorDefinition): number {
  return definition.kind === 'model_graded' ? questionPlaces(definition).length : definition.kind === 'embedding' ? 1 : 0
}

function makesCalls({ definition }: EvaluatorTree): boolean {
  return callsOf(definition) > 0 || definition.kind === 'remote'
}

function itemOf({ input, output, expected, metadata }: Omit<TryEvaluator, 'definition'>): EvaluatedItem {
  const targets = expected === undefined ? [] : typeof expected === 'string' ? [expected] : expected
  return { item: 'try', input, output, targets, label: null, metadata, example: metadata }
}

/** @throws ApiError validation_error where a judge of one output gets two, or the reverse */
function requireShape(definition: EvaluatorDefinition, output: TryEvaluator['output']): void {
  if (definition.kind !== 'model_graded' || (typeof output !== 'string') === (definition.mode === 'pairwise')) return
  throw invalidField(
    ['body', 'output'],
    definition.mode === 'pairwise' ? 'a pairwise judge needs two outputs, {a, b}' : 'this judge grades one output, not two',
  )
}

/** @throws ApiError validation_error unless the evaluator is deterministic, parts included */
function refuseCalls(tree: EvaluatorTree, loc: Loc): void {
  for (const one of evaluatorsIn(tree))
    if (makesCalls(one))
      throw invalidField(
        loc,
        `the evaluator "${one.name}" is ${one.definition.kind}; only deterministic ones are previewed, because others make calls`,
      )
}

function verdictOf({ value, class: name, answer, answerSpan, explanation }: Score) {
  return { value, class: name, answer, span: answerSpan && { ...answerSpan }, explanation }
}

async function timed<T>(work: () => Promise<T>): Promise<{ score: T; ms: number }> {
  const before = performance.now()
  const score = await work()
  return { score, ms: Math.round((performance.now() - before) * 10) / 10 }
}

/** For a prompt that is only shown. */
function boundary(): string {
  return createHash('sha256').update(`shown ${performance.now()} ${Math.random()}`).digest('hex').slice(0, 32)
}

function describeScorer(
  {
    id,
    title,
    description,
    options,
  }: { readonly id: string; readonly title: string; readonly description: string; readonly options: z.ZodType },
  runsCode: boolean,
): EvaluatorOptions['scorers'][number] {
  const { $schema: _, ...schema } = z.toJSONSchema(options, { io: 'input', unrepresentable: 'any' })
  return { id, title, description, runs_code: runsCode, equals: upstreamRelease(id), options_schema: schema }
}
