import type { MediaSource } from '../../engine/clients/media-source.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { ApiError, notFound, requireFound } from '../../contract/errors.ts'
import type { Job, JobOwner } from '../../contract/jobs/jobs.schemas.ts'
import { illegalTransition, isTerminal } from '../../contract/machine.ts'
import { pauseCodes } from '../../contract/runs/failure-codes.ts'
import { Results } from '../../contract/runs/results.schemas.ts'
import type { NewRunExport } from '../../contract/runs/run-exports.schemas.ts'
import { runMachine } from '../../contract/runs/run.machine.ts'
import type { NewRegradeQuote, Regrade, RegradeQuote, Run, RunChanges, RunEvent } from '../../contract/runs/runs.schemas.ts'
import type { SampleDetail, SampleGroups } from '../../contract/runs/samples.schemas.ts'
import type { Limiters } from '../../engine/execution/scheduler/limiters.ts'
import { transition } from '../../storage/transition.ts'
import { readAnnotations } from '../../storage/reads/annotations.ts'
import { readSampleDetails, type StoredSample } from '../../storage/reads/sample-details.ts'
import { everySample, neighborsOf, primaryMetrics, type SamplesQuery } from '../../storage/reads/sample-list.ts'
import { guarded } from '../../lib/guarded.ts'
import { sampleId, samplePosition } from '../../storage/sample-id.ts'
import type { TextMatch } from '../../lib/text-query.ts'
import type { Workers } from '../../workers/pool.ts'
import type { Catalog } from '../catalog/catalog.types.ts'
import type { Connections } from '../connections/index.ts'
import type { FileReply } from '../http/handler.ts'
import type { Jobs } from '../jobs/index.ts'
import type { Evaluators } from '../evaluators/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { Quotes } from '../quotes/index.ts'
import { type Spend, startWork, type Work } from '../spending/index.ts'
import { providerBound } from './provider-hold.ts'
import { retrySamples, type Wanted } from './retry-samples.ts'
import { createRunExecution, type ExecutionDependencies } from './run-executor.ts'
import { changeRun } from './change-run.ts'
import { createRunDeletion } from './delete-run.ts'
import { createRunDescriber, waitingSamples } from './describe-run.ts'
import { showAheadAsPending } from './show-ahead.ts'
import { createGatedRuns } from './gated-runs.ts'
import { createAttackMatrices } from './attack-matrix.ts'
import { listBatches } from './batches.store.ts'
import { createExports, type Exported } from './exports.ts'
import { createImportedRuns } from './imported-runs.ts'
import { readLeaderboard } from './leaderboard.ts'
import { readScores } from './read-scores.ts'
import { type HistoryWanted, readScoreHistory } from './score-history.ts'
import { readReferenceRuns } from './reference-runs.ts'
import { createLiveRuns } from './live-runs.ts'
import { createRunBroadcast } from './run-events.ts'
import { presentRun } from './result-frame.ts'
import { recipesOf } from './run-plan.ts'
import { judgedFiles } from './judged-files.store.ts'
import { storedSizes } from './regrades.store.ts'
import { createRegrading } from './regrade-run.ts'
import { countPaused, setPause } from './pauses.store.ts'
import { profilesOf, providerBilling, quoteOf } from './run-record.ts'
import { findRunOfSample, placesOfTasks } from './find-sample.store.ts'
import { countsOf, findResult, findRun, findRunByNo, listRuns, openRuns, type RunRow, type RunsQuery } from './runs.store.ts'
import { toSampleDetail, withRequests } from './sample-detail.ts'
import { createSampleLists } from './sample-lists.ts'
import { createSeveralRuns } from './several-runs.ts'
import { createSearchIndexes } from './search-index.ts'
import { committedBy, createSharedLimits } from './shared-limit.ts'
import { type Submission, submitRun } from './submit-run.ts'

export type Runs = ReturnType<typeof createRuns>

export interface RunsDependencies {
  readonly catalog: Catalog
  readonly connections: Connections
  readonly evaluators: Pick<Evaluators, 'benchmarks' | 'runs' | 'pause'>
  readonly jobs: Jobs
  /** Where requests with media get back what transcripts leave out. */
  readonly mediaOf: (workspaceId: string) => MediaSource
  /** Shared with judges. */
  readonly limiters: Limiters
  readonly quotes: Quotes
  readonly workers: Workers
  readonly team: ExecutionDependencies['team']
}

export function createRuns(
  kernel: Kernel,
  { catalog, connections, evaluators, jobs, limiters, mediaOf, quotes, workers, team }: RunsDependencies,
) {
  const { db, clock, log } = kernel
  const live = createLiveRuns(() => clock.now().getTime())
  const searchIndexes = createSearchIndexes(kernel, workers)
  const sampleLists = createSampleLists(kernel, workers, searchIndexes)
  const needs: ((workspaceId: string, runId: string) => void)[] = []
  const endings: ((workspaceId: string, runId: string) => void)[] = []
  const execution = createRunExecution(kernel, {
    catalog,
    connections,
    evaluators,
    limiters,
    quotes,
    workers,
    live,
    onEnded: runNo => {
      searchIndexes.prepare(runNo)
      const row = findRunByNo(db, runNo)
      if (!row) return
      // What one feature throws does not keep others from being told, and the run has ended well.
      const failed = (error: unknown) => log.error({ err: error, runId: row.id }, 'a feature could not be told that a run ended')
      for (const tell of endings) guarded(() => tell(row.workspace_id, row.id), failed)()
    },
    team,
  })
  const regrading = createRegrading(kernel, { catalog, evaluators, workers, jobs, announce: live.announce })
  const deletion = createRunDeletion(kernel, jobs, row => {
    for (const requireUnused of needs) requireUnused(row.workspace_id, row.id)
  })
  const limits = createSharedLimits()
  const describe = createRunDescriber(kernel, live, execution.view, id => jobs.of({ type: 'run', id }, ['regrade']))
  const broadcast = createRunBroadcast({
    read: no => describe.one(presentRun(kernel, no)),
    live,
    now: () => clock.now(),
    sleep: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
  })
  const closing = new AbortController()
  const ended = async (runNo: number, gone: AbortSignal) => {
    const signal = AbortSignal.any([gone, closing.signal])
    while (!signal.aborted) {
      // Read before the state, so that no change between the two is missed.
      const seen = live.version(runNo)
      if (isTerminal(runMachine, findRunByNo(db, runNo)?.status ?? 'failed')) return
      await live.changed(runNo, seen, signal)
    }
  }
  const imported = createImportedRuns(kernel, { execute: execution.begin, purge: deletion.purge, ended })

  const rowOf = (workspaceId: string, id: string): RunRow => requireFound(findRun(db, workspaceId, id), 'run', id)
  const read = (workspaceId: string, id: string): Run => describe.one(rowOf(workspaceId, id))
  const cancel = (row: RunRow) => {
    if (row.status !== 'cancelling') transition(db, runMachine, { table: 'runs', column: 'status' }, row.id, 'cancel', timestamp(clock))
    execution.cancel(row.id)
    // A run that waits for a person is executed once more, to end in order.
    execution.begin(row.no)
    live.announce(row.no)
  }
  const resultsOf = (row: RunRow, version: number | undefined): Results => {
    const wanted = version ?? row.result_version
    if (row.result_version === null || wanted === null)
      throw new ApiError('result_not_ready', `The run is ${row.status} and has no result yet. Poll the run and retry when it has ended.`)
    const record = findResult(db, row.no, wanted)
    if (!record) {
      const names = row.result_version === 1 ? 'version 1 only' : `versions 1 to ${row.result_version}`
      throw new ApiError('not_found', `The run "${row.name}" has no result version ${wanted}; it has ${names}.`)
    }
    return Results.parse(JSON.parse(record))
  }

  const ask = (row: RunRow, principalId: string, wanted: Wanted): Run => {
    const part = rowOf(row.workspace_id, retrySamples(kernel, { connections, limitOf: limits.of }, row, principalId, wanted))
    db.afterCommit(() => {
      execution.begin(part.no)
      live.announce(row.no)
    })
    return read(row.workspace_id, part.id)
  }

  /** What is set aside for a run and not spent. */
  const restOf = (row: RunRow): Spend => {
    const rest = (held: number | string, spent: number | string) => BigInt(Math.max(0, Number(held) - Number(spent)))
    return {
      wallet: rest(row.held_microusd, row.charged_microusd),
      provider: providerBound(quoteOf(row)) === null ? null : rest(row.provider_held_microusd, row.billed_microusd),
    }
  }

  /** @param version the result version whose scores are shown; the latest when absent */
  const sample = (workspaceId: string, id: string, sampleId: string, version = Number.MAX_SAFE_INTEGER): SampleDetail =>
    detailOf(workspaceId, id, storedSample(workspaceId, id, sampleId, version))
  const storedSample = (workspaceId: string, id: string, sampleId: string, version: number): StoredSample => {
    const row = rowOf(workspaceId, id)
    const position = placeOf(row, sampleId)
    const [stored] = readSampleDetails(db, row.no, version, { from: position, to: position })
    if (!stored) throw notFound('sample', sampleId)
    return stored
  }
  const detailOf = (workspaceId: string, id: string, stored: StoredSample): SampleDetail => {
    const row = rowOf(workspaceId, id)
    const quote = quoteOf(row)
    const recipe = recipesOf(quote, workspaceId, catalog)[stored.profile_no]
    if (!recipe) throw new RangeError(`Sample ${stored.position} names profile ${stored.profile_no}, which the run does not have.`)
    return toSampleDetail(
      row.id,
      neighborsOf(db, row.no, stored.position),
      profilesOf(row),
      recipe,
      stored,
      providerBilling(quote),
      (ref, task) => evaluators.benchmarks.exampleOf(workspaceId, ref, task),
    )
  }

  const exportedOf = (workspaceId: string, id: string, version: number | undefined): Exported => {
    const row = rowOf(workspaceId, id)
    return {
      runNo: row.no,
      results: resultsOf(row, version),
      recipes: recipesOf(quoteOf(row), workspaceId, catalog),
      annotations: () => readAnnotations(db, row),
    }
  }
  const attackMatrix = createAttackMatrices(db, catalog)
  const exports = createExports(kernel.config.dataDir, workers, jobs, exportedOf)

  return {
    imported,
    /** Makes retries and raised caps of runs obey a limit of another feature. */
    limitBy: limits.add,
    /** Asks another feature before a run is deleted; it throws where it needs the run. */
    keepFor: (requireUnused: (workspaceId: string, runId: string) => void): void => void needs.push(requireUnused),
    /** Tells another feature of each run that got a new result. */
    onEnded: (listener: (workspaceId: string, runId: string) => void): void => void endings.push(listener),
    /** Micro-USD that a run and its parts have charged or may still charge. */
    committed: (workspaceId: string, id: string): bigint => committedBy(db, rowOf(workspaceId, id)),
    gated: createGatedRuns(kernel, live, execution, limits.of),
    submit: (submission: Submission): { readonly run: Run; readonly isNew: boolean } => {
      const { run, isNew } = submitRun(kernel, quotes, submission, { catalog, connections }, id => read(submission.workspaceId, id))
      if (isNew) execution.begin(rowOf(submission.workspaceId, run.id).no)
      return { run, isNew }
    },
    list: (workspaceId: string, query: RunsQuery) => listRuns(db, workspaceId, query, describe.all),
    leaderboard: (workspaceId: string, archived: boolean) => readLeaderboard(db, workspaceId, archived),
    attacks: (workspaceId: string, id: string) => attackMatrix(rowOf(workspaceId, id)),
    batches: (workspaceId: string, id: string) => listBatches(db, rowOf(workspaceId, id).no),
    scoreHistory: (workspaceId: string, wanted: HistoryWanted) => readScoreHistory(db, workspaceId, wanted),
    references: (workspaceId: string, id: string) => ({ items: readReferenceRuns(db, rowOf(workspaceId, id)) }),
    read,
    /** Primary metric of each profile: of the latest result, or so far, then without an interval. */
    scores: (workspaceId: string, run: Run) => readScores(live, run, () => rowOf(workspaceId, run.id).no),
    cancel: (workspaceId: string, id: string): Run => {
      const row = rowOf(workspaceId, id)
      if (isTerminal(runMachine, row.status)) throw illegalTransition('run', id, row.status, 'cancel')
      cancel(row)
      return read(workspaceId, id)
    },
    /** Cancels the runs of a workspace that are under way; resolves when they have ended. */
    cancelAll: async (workspaceId: string): Promise<void> => {
      const open = openRuns(db).filter(row => row.workspace_id === workspaceId)
      for (const row of open) cancel(row)
      await Promise.all(open.map(({ no }) => ended(no, closing.signal)))
    },
    removeFiles: deletion.removeFiles,
    /** Resolves when the run has ended or the signal is aborted. @throws ApiError not_found */
    ended: (workspaceId: string, id: string, signal: AbortSignal): Promise<void> => ended(rowOf(workspaceId, id).no, signal),
    pause: (workspaceId: string, id: string): Run => {
      const row = rowOf(workspaceId, id)
      if (row.status !== 'queued' && row.status !== 'running') throw illegalTransition('run', id, row.status, 'pause')
      // Also one that could not be executed: the next start would try it again.
      if (row.pause_code !== 'paused') {
        setPause(db, row.no, { code: 'paused', message: pauseCodes.paused, at: timestamp(clock) })
        execution.pause(row.id)
        live.announce(row.no)
      }
      return read(workspaceId, id)
    },
    resume: (workspaceId: string, id: string, principalId: string): Run => {
      const row = rowOf(workspaceId, id)
      if (isTerminal(runMachine, row.status)) throw illegalTransition('run', id, row.status, 'resume')
      const work: Work = { workspaceId, scope: 'runs:write', spend: restOf(row), payerId: row.principal_id, isHeld: true }
      return startWork(db, principalId, work, timestamp(clock), () => {
        if (row.pause_code === 'paused') setPause(db, row.no, null)
        db.afterCommit(() => {
          if (!execution.resumeNow(row.id)) execution.begin(row.no)
          live.announce(row.no)
        })
        return read(workspaceId, id)
      })
    },
    change: (workspaceId: string, id: string, principalId: string, changes: RunChanges): Run => {
      const row = rowOf(workspaceId, id)
      const { concurrency, cap } = db.transaction(() => {
        const changed = changeRun(kernel, limits.of, row, { principalId, scope: 'runs:write' }, changes)
        if (changed.goesOn) ask(rowOf(workspaceId, id), principalId, { selection: 'failed' })
        return changed
      })
      if (concurrency !== undefined) execution.setConcurrency(row.id, concurrency)
      if (cap !== undefined) execution.setCap(row.id, cap)
      live.announce(row.no)
      return read(workspaceId, id)
    },
    several: createSeveralRuns(kernel, { live, deletion, rowOf }),
    delete: (workspaceId: string, id: string, owner: JobOwner): void => deletion.delete([rowOf(workspaceId, id)], owner),
    retryFailed: (workspaceId: string, id: string, principalId: string): Run =>
      ask(rowOf(workspaceId, id), principalId, { selection: 'failed' }),
    retrySamples: (workspaceId: string, id: string, principalId: string, sampleIds: readonly string[]): Run => {
      const row = rowOf(workspaceId, id)
      const positions = sampleIds.map(sampleId => placeOf(row, sampleId))
      return ask(row, principalId, { selection: 'chosen', positions })
    },
    quoteRegrade: async (workspaceId: string, id: string, terms: NewRegradeQuote): Promise<RegradeQuote> => {
      const row = rowOf(workspaceId, id)
      if (row.result_version === null) throw new ApiError('conflict', `The run "${row.id}" has no result, so there is nothing to grade.`)
      const size = { ...storedSizes(db, row.no), files: await judgedFiles(db, row.no, catalog.tasks) }
      return evaluators.runs.quoteRegrade(workspaceId, row, terms.evaluator_version_id, size, terms.max_charge_microusd)
    },
    /** The job begins with the commit, once every scorer could be prepared; at once by an evaluator, which was prepared when it was made. */
    regrade: (workspaceId: string, id: string, wish: Regrade, owner: JobOwner, signal: AbortSignal): Run | Promise<() => Run> => {
      const begin = (): Run => {
        regrading.begin(rowOf(workspaceId, id), wish, owner)
        return read(workspaceId, id)
      }
      if (wish.evaluator_version_id !== undefined) return begin()
      return regrading.requireMetrics(rowOf(workspaceId, id), wish, signal).then(() => begin)
    },
    results: (workspaceId: string, id: string, version: number | undefined): Results => resultsOf(rowOf(workspaceId, id), version),
    export: (workspaceId: string, id: string, { format, version }: NewRunExport): Promise<FileReply> =>
      exports.file(workspaceId, exportedOf(workspaceId, id, version), format),
    prepareExport: (workspaceId: string, id: string, { format, version }: NewRunExport, owner: JobOwner): Job =>
      exports.prepare(workspaceId, exportedOf(workspaceId, id, version), format, owner),
    samples: (workspaceId: string, id: string, query: SamplesQuery) => sampleLists.read(rowOf(workspaceId, id), query),
    /** The same, as it is sent. */
    samplesAsSent: (workspaceId: string, id: string, query: SamplesQuery) => sampleLists.send(rowOf(workspaceId, id), query),
    /** Places of the samples that match a search, ascending. @throws ApiError not_found, at once */
    search: (workspaceId: string, id: string, q: string, match: TextMatch): Promise<readonly number[]> => {
      const row = rowOf(workspaceId, id)
      const question = everySample(row.no, row.frozen, q, match)
      const found = workers.samples({ kind: 'page', question, index: searchIndexes.fileOf(row) })
      return found.then(({ places }) => places.map(({ position }) => position))
    },
    outcomes: async (workspaceId: string, id: string) => {
      const row = rowOf(workspaceId, id)
      const codes = await workers.samples({ kind: 'outcomes', runNo: row.no })
      const waiting = waitingSamples(row, execution.view(row.id), clock.now().getTime(), countsOf(db, row.no))
      return { codes: showAheadAsPending(codes, waiting) }
    },
    groups: async (workspaceId: string, id: string): Promise<SampleGroups> => {
      const row = rowOf(workspaceId, id)
      const groups = await workers.samples({ kind: 'groups', runNo: row.no, primaries: primaryMetrics(profilesOf(row)) })
      return { groups, scored: countsOf(db, row.no).get('scored') ?? 0 }
    },
    sample,
    /** The same, with its requests byte for byte. */
    sampleAsSent: async (workspaceId: string, id: string, sampleId: string): Promise<SampleDetail> =>
      detailOf(workspaceId, id, await withRequests(storedSample(workspaceId, id, sampleId, Number.MAX_SAFE_INTEGER), mediaOf(workspaceId))),
    /** Where a run and some of its samples are stored. @throws ApiError not_found */
    locate: (workspaceId: string, id: string, sampleIds: readonly string[]) => {
      const row = rowOf(workspaceId, id)
      const partOf = row.part_of === null ? null : (findRunByNo(db, row.part_of)?.id ?? null)
      return { no: row.no, partOf, positions: sampleIds.map(sampleId => placeOf(row, sampleId)) }
    },
    /** A sample by its id alone, with the source of its task; null when the workspace has none. */
    findSample: (workspaceId: string, sampleId: string) => {
      const found = findRunOfSample(db, workspaceId, sampleId)
      if (!found) return null
      const profile = profilesOf(rowOf(workspaceId, found.runId))[found.profileNo]
      const { id, run_id, task_id, passed } = sample(workspaceId, found.runId, sampleId)
      return { id, run_id, task_id, passed, source_ref: profile?.source_ref ?? '' }
    },
    /** What a run's samples of these tasks show, the first ones of at most `most`. */
    samplesOfTasks: (workspaceId: string, id: string, taskIds: readonly string[], most: number) => {
      const row = rowOf(workspaceId, id)
      const profiles = profilesOf(row)
      return placesOfTasks(db, row.no, taskIds, most).map(position => {
        const found = sample(workspaceId, row.id, sampleId(row.id, position))
        const profile = profiles.find(({ profile_id: of }) => of === found.profile_id)
        return { id: found.id, task_id: found.task_id, passed: found.passed, source_ref: profile?.source_ref ?? '' }
      })
    },
    events: (workspaceId: string, id: string, gone: AbortSignal): AsyncIterable<RunEvent> => {
      const { no } = rowOf(workspaceId, id)
      return broadcast.follow(no, AbortSignal.any([gone, closing.signal]))
    },
    /** How many have not ended, parts of runs among them. */
    underWay: (): number => openRuns(db).length,
    /** How many wait because executing them failed. */
    paused: (): number => countPaused(db),
    start: () => {
      execution.resume()
      regrading.resume()
      deletion.resume()
      searchIndexes
        .prepareMissing(closing.signal)
        .catch((error: unknown) => log.warn({ err: error }, 'search indexes could not be prepared'))
    },
    drain: execution.drain,
    close: async () => {
      closing.abort()
      await Promise.all([execution.close(), regrading.close()])
    },
  }
}

/** @throws ApiError not_found for an id that names no sample of this run */
function placeOf(row: RunRow, id: string): number {
  const position = samplePosition(row.id, id)
  if (position === null || (row.part_of === null && position >= row.frozen)) throw notFound('sample', id)
  return position
}
