import { ApiError, invalidField, requireFound } from '../../contract/errors.ts'
import type { FrozenCoverage, Quote, QuoteExamples, QuoteRequest } from '../../contract/quotes/quotes.schemas.ts'
import { runsCode } from '../catalog/index.ts'
import { tokenRates } from '../../engine/clients/pricing/pricing.ts'
import { epochsOfEvidence, plannedDetectableDifference } from '../../lib/detectable-difference.ts'
import { modelIdentity } from '../../lib/model-identity.ts'
import type { Workers } from '../../workers/pool.ts'
import type { Catalog } from '../catalog/catalog.types.ts'
import type { Connections } from '../connections/index.ts'
import type { Evaluators } from '../evaluators/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { Media } from '../media/index.ts'
import type { Spend } from '../spending/index.ts'
import { batchChecks, batchWarnings, inMode } from './batch-mode.ts'
import { boundCost, type CostBound } from './bound-cost.ts'
import { checkCompatibility } from './check-compatibility.ts'
import { countFiles, describeFileCount, type FileTokens, filesAsSent } from './count-files.ts'
import { needsResizing, type TaskParts } from './check-parts.ts'
import { freezeImported, type ImportedSelection } from './freeze-imported.ts'
import { expectTime } from './expect-time.ts'
import { coveredParts, freezeProfile } from './freeze-profile.ts'
import { taskDigest } from './freeze-tasks.ts'
import { chosenEvaluators, playOf, withEvaluators } from './quote-evaluators.ts'
import { judgedSamples } from './judged-samples.ts'
import { type Asked, leastOf } from './least-spend.ts'
import { type Measured, measurePrompts } from './measure-prompts.ts'
import { priceQuote } from './price-quote.ts'
import { capWarnings, ownResultsWarning, quoteWarnings } from './quote-warnings.ts'
import { chosenOnResultsOf } from './informed-selections.store.ts'
import { deleteUnusedQuotes, findQuote, frozenTaskNumbers, insertQuote, type StoredQuote } from './quotes.store.ts'
import { renderExamples } from './render-examples.ts'
import type { TaskShape } from '../../engine/tasks/task-shape.ts'
import { taskMedia } from './task-media.ts'
import { findShapes } from './task-shapes.store.ts'
import { samplingChecks, withSampling } from './sampling.ts'
import { type SelectedModel, selectModel } from './select-model.ts'
import { type ExactSelection, type FrozenSelection, areWhole, freezeExact, selectTasks } from './select-tasks.ts'

const lifetime = 30 * 60_000

/** Parameters of a quote besides its tasks. */
type QuoteTerms = Pick<QuoteRequest, 'model' | 'execution' | 'max_charge_microusd'>

export interface ExactQuoteRequest extends QuoteTerms {
  readonly selections: readonly ExactSelection[]
}

/** A quote that is stored only once what it is for is. */
export interface PreparedQuote {
  readonly quote: Quote
  /** In the transaction of what it is for. */
  store(): void
}

export interface Quotes {
  create(workspaceId: string, request: QuoteRequest): Promise<Quote>
  /** The same, not stored yet. */
  prepare(workspaceId: string, request: QuoteRequest): Promise<PreparedQuote>
  /** Freezes exactly these tasks: the plan of an evaluation. */
  createExact(workspaceId: string, request: ExactQuoteRequest): Promise<Quote>
  /** The same, not stored yet. */
  prepareExact(workspaceId: string, request: ExactQuoteRequest): Promise<PreparedQuote>
  read(workspaceId: string, id: string): Quote
  /** Before prompts are measured, which stores their tokens. @throws ApiError quote_incompatible for a model that cannot be called now */
  requireAvailable(workspaceId: string, terms: Pick<QuoteTerms, 'model' | 'execution'>): void
  /** What a run costs at least; stores nothing. */
  least(workspaceId: string, asked: Asked): Spend
  /** The prompt of the first frozen task of each profile. */
  examples(workspaceId: string, id: string): QuoteExamples
  /** Null when the workspace has no such quote. */
  find(workspaceId: string, id: string): Quote | null
  /** Numbers of the frozen tasks by profile. */
  taskNumbers(id: string): number[][]
  /** The plan of a run whose answers are imported, in the caller's transaction. */
  freezeImported(workspaceId: string, selection: ImportedSelection): StoredQuote
}

export interface QuotesDependencies {
  readonly catalog: Catalog
  readonly connections: Connections
  readonly evaluators: Pick<Evaluators, 'runs'>
  readonly media: Pick<Media, 'facts' | 'codecFault'>
  readonly workers: Workers
}

/** Milliseconds for which an expired quote can still be read. */
const keptAfterExpiry = 24 * 3_600_000
const pruneEvery = 3_600_000
/** A batch deletes quickly; what is left goes with the next one. */
const mostPruned = 1_000

export function createQuotes(kernel: Kernel, { catalog, connections, evaluators, media, workers }: QuotesDependencies): Quotes {
  const { db, clock, ids } = kernel
  const find = (workspaceId: string, id: string): Quote | null => {
    const stored = findQuote(db, workspaceId, id)
    return stored ? { ...stored, status: timestamp(clock) < stored.expires_at ? 'open' : 'expired' } : null
  }
  const select = (workspaceId: string, { model, execution }: Pick<QuoteTerms, 'model' | 'execution'>) =>
    withSampling(inMode(selectModel(model, workspaceId, catalog, connections), execution), execution)
  let prunedAt = Number.NEGATIVE_INFINITY
  /** The form asks for a quote with every change, so most are never used. Once an hour is enough. */
  const prune = (now: Date): void => {
    if (now.getTime() - prunedAt < pruneEvery) return
    prunedAt = now.getTime()
    deleteUnusedQuotes(db, new Date(now.getTime() - keptAfterExpiry).toISOString(), mostPruned)
  }
  const selectedOnOwnResults = (workspaceId: string, { snapshot }: SelectedModel, selections: readonly FrozenSelection[]) =>
    selections.flatMap(({ profile, tasks }) => {
      const taskNumbers = tasks.map(task => task.no)
      return ownResultsWarning(profile.id, tasks.length, chosenOnResultsOf(db, workspaceId, modelIdentity(snapshot), taskNumbers))
    })
  const freeze = async (
    workspaceId: string,
    terms: QuoteTerms,
    model: SelectedModel,
    selections: readonly FrozenSelection[],
    coverage: RequestedCoverage,
  ): Promise<PreparedQuote> => {
    // Before the prompts are measured, which stores their tokens.
    const chosen = chosenEvaluators(evaluators.runs, workspaceId, terms.execution.evaluators)
    const measured: Measured[] = []
    for (const selection of selections) measured.push(await measurePrompts(kernel, selection, catalog, workers))
    const bound = await boundCost(selections, terms.execution, tokenRates(model.snapshot.rates), catalog)
    const shapes = selections.map(({ tasks }) =>
      findShapes(
        db,
        tasks.map(({ no }) => no),
      ),
    )
    const parts: TaskParts[] = []
    for (const [i, selection] of selections.entries()) {
      const own = shapes[i] ?? []
      const files = await taskMedia(selection, own, catalog, digests => media.facts(workspaceId, digests))
      const { max_image_pixels: most } = selection.generation
      const isResized = most !== undefined && needsResizing(files, most)
      parts.push({ shapes: own, media: files, resizeFault: isResized ? await media.codecFault() : null })
    }
    const described = describe(terms, coverage, model, selections, measured, bound, parts)
    const tokensOf = (selection: FrozenSelection, i: number) => ({
      prompts: Math.round((measured[i]?.tokens ?? 0) * turnsOf(selection, shapes[i])),
      answer: Math.round(selection.generation.max_output_tokens * turnsOf(selection, shapes[i])),
      answers: selection.tasks.length + laterTurns(shapes[i]),
    })
    const filesOf = parts.map(one => one.media)
    const judged = await judgedSamples(selections, terms.execution, tokensOf, filesOf, catalog)
    const own = coverage.mode === 'exact' ? selectedOnOwnResults(workspaceId, model, selections) : []
    const shown = judged.map((size, i) => {
      const { world, maxTurns: turns = 1 } = selections[i]?.definition.environment ?? {}
      return { ...size, ...(world?.user_model && { user: playOf(world, world.user_model, turns) }) }
    })
    const graded = withEvaluators(evaluators.runs, workspaceId, { ...described, warnings: [...described.warnings, ...own] }, chosen, shown)
    const now = clock.now()
    const quote: StoredQuote = {
      id: ids.next(),
      created_at: now.toISOString(),
      expires_at: new Date(now.getTime() + lifetime).toISOString(),
      ...graded,
      time: expectTime(model, graded.counts),
      warnings: [...graded.warnings, ...capWarnings(graded, bound)],
    }
    const taskNumbers = selections.map(({ tasks }) => tasks.map(task => task.no))
    const store = () => {
      insertQuote(db, workspaceId, quote, taskNumbers)
      prune(now)
    }
    return { quote: { ...quote, status: 'open' }, store }
  }
  const prepare: Quotes['prepare'] = async (workspaceId, request) => {
    refuseSuites(request)
    await catalog.ready(workspaceId, request.selection.profile_ids ?? [])
    const model = select(workspaceId, request)
    return freeze(workspaceId, request, model, selectTasks(request, workspaceId, catalog), coverageOf(request))
  }
  const prepareExact: Quotes['prepareExact'] = async (workspaceId, { selections, ...terms }) => {
    const model = select(workspaceId, terms)
    const frozen = selections.map(selection => freezeExact(selection, terms.execution, catalog))
    return freeze(workspaceId, terms, model, frozen, { mode: 'exact', sample_count: null, seed: null })
  }
  const stored = ({ quote, store }: PreparedQuote): Quote => {
    store()
    return quote
  }
  return {
    find,
    read: (workspaceId, id) => requireFound(find(workspaceId, id), 'quote', id),
    examples: (workspaceId, id) => {
      const quote = requireFound(find(workspaceId, id), 'quote', id)
      return { items: renderExamples(workspaceId, quote, frozenTaskNumbers(db, id), catalog) }
    },
    least: (workspaceId, asked) => leastOf(workspaceId, asked, { catalog, connections, evaluators }),
    taskNumbers: id => frozenTaskNumbers(db, id),
    freezeImported: (workspaceId, selection) => {
      const quote = freezeImported(selection, catalog, { id: ids.next(), at: timestamp(clock) })
      insertQuote(db, workspaceId, quote, [selection.tasks.map(task => task.no)])
      return quote
    },
    create: async (workspaceId, request) => stored(await prepare(workspaceId, request)),
    prepare,
    createExact: async (workspaceId, request) => stored(await prepareExact(workspaceId, request)),
    prepareExact,
    requireAvailable: (workspaceId, terms) => {
      const { unavailable } = select(workspaceId, terms)
      if (unavailable !== null) throw new ApiError('quote_incompatible', unavailable)
    },
  }
}

function refuseSuites({ selection }: QuoteRequest): void {
  if (selection.suite_version_id) {
    throw new ApiError(
      'exact_task_suite',
      'An exact-task suite runs as an evaluation (POST /v1/evaluations); quotes take benchmark profiles only.',
    )
  }
  if (!selection.profile_ids) throw invalidField(['body', 'selection', 'profile_ids'], 'is required', 'missing')
}

type RequestedCoverage = Pick<FrozenCoverage, 'mode' | 'sample_count' | 'seed'>

function coverageOf({ coverage }: QuoteRequest): RequestedCoverage {
  if (coverage.mode === 'full') return { mode: 'full', sample_count: null, seed: null }
  return { mode: 'sample', sample_count: coverage.sample_count, seed: coverage.seed }
}

/** Everything a quote says, from what was frozen. Pure. */
function describe(
  { execution, max_charge_microusd }: QuoteTerms,
  coverage: RequestedCoverage,
  model: SelectedModel,
  selections: readonly FrozenSelection[],
  measured: readonly Measured[],
  bound: CostBound,
  parts: readonly TaskParts[],
): Omit<StoredQuote, 'id' | 'created_at' | 'expires_at'> {
  const { epochs } = execution
  const shapes = parts.map(one => one.shapes)
  const tasks = sum(selections.map(s => s.tasks.length))
  const samples = tasks * epochs
  const callsOf = selections.map((s, i) => Math.round(s.tasks.length * turnsOf(s, shapes[i])))
  const calls = sum(callsOf) * epochs
  const files = selections.map((s, i) => countFiles(model, filesAsSent(parts[i]?.media ?? [], s.generation.max_image_pixels)))
  const overTurns = (tokensOf: (i: number) => number): number =>
    sum(selections.map((s, i) => Math.round(tokensOf(i) * turnsOf(s, shapes[i])))) * epochs
  const inFiles = (kind: keyof FileTokens['of']): number =>
    sum(selections.map((s, i) => Math.round((files[i]?.of[kind] ?? 0) * (fixedTurns(s) ?? 1)))) * epochs
  const imageTokens = inFiles('image')
  const audioTokens = inFiles('audio')
  const otherTokens = overTurns(i => measured[i]?.tokens ?? 0) + inFiles('document')
  const inputTokens = otherTokens + imageTokens + audioTokens
  const outputUpperBound = sum(selections.map((s, i) => (callsOf[i] ?? 0) * s.generation.max_output_tokens)) * epochs
  const checks = [
    ...checkCompatibility(
      model,
      selections,
      { longest: measured.map(m => m.longest), files: files.map(f => f.most) },
      execution.effort,
      parts,
    ),
    ...samplingChecks(model, execution),
    ...batchChecks(model, selections, parts, execution),
  ]
  const compatible = checks.every(check => check.status !== 'fail')
  return {
    model: model.snapshot,
    profiles: selections.map(freezeProfile),
    coverage: {
      ...coverage,
      epochs,
      task_digest: taskDigest(selections.map(s => ({ profileId: s.profile.id, tasks: s.tasks }))),
      full_benchmark: areWhole(selections),
      parts: selections.flatMap(coveredParts),
    },
    execution,
    compatibility: { status: compatible ? 'compatible' : 'incompatible', checks },
    counts: {
      tasks,
      samples,
      model_calls: calls,
      judge_calls: 0,
      sandbox_executions: sum(selections.filter(s => runsCode(s.definition)).map(s => s.tasks.length)) * epochs,
      input_tokens: inputTokens,
      output_tokens_upper_bound: outputUpperBound,
    },
    cost: priceQuote(
      model,
      {
        samples,
        inputTokens,
        imageTokens,
        audioTokens,
        outputUpperBound,
        basis: measured.map((m, i) => m.basis + (files[i] ? describeFileCount(files[i]) : '')).join(' '),
      },
      bound,
      BigInt(max_charge_microusd),
    ),
    statistics: selections.map(s => ({
      profile_id: s.profile.id,
      n: s.tasks.length,
      minimum_detectable_difference: plannedDetectableDifference(
        s.tasks.length,
        epochsOfEvidence(epochs, execution.temperature ?? s.generation.temperature),
      ),
    })),
    time: null,
    warnings: [...quoteWarnings(model, selections, epochs), ...batchWarnings(execution)],
  }
}

/** Calls of one sample, at most; the mean over its tasks where they have scripted turns. */
function turnsOf(selection: FrozenSelection, shapes: readonly TaskShape[] = []): number {
  return fixedTurns(selection) ?? 1 + laterTurns(shapes) / Math.max(1, selection.tasks.length)
}

/** Undefined where each task says how many it has. */
function fixedTurns({ definition }: FrozenSelection): number | undefined {
  return definition.environment?.maxTurns ?? definition.loglikelihood?.most
}

function laterTurns(shapes: readonly TaskShape[] = []): number {
  return sum(shapes.map(({ turns }) => turns - 1))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0)
}
