import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import type { SandboxReport } from '../engine/grading/sandbox/open-sandbox.ts'
import type { CallWorldFunction } from '../engine/grading/sandbox/world-functions.ts'
import type { MetricPlan, ScoreBatch } from '../engine/execution/scheduler/ports.ts'
import type { Score, ScoreInput } from '../engine/grading/scorers/scorer.ts'
import type { Message } from '../contract/messages/messages.schemas.ts'
import type samples from './sample-page.worker.ts'
import type { SamplesAnswer, SamplesTask } from './sample-page.worker.ts'
import type searchTasks from './task-search.worker.ts'
import { type BoundedPool, createBoundedPool, fileBounds, type Work, WorkLimitError } from './bounded-pool.ts'
import { type CodeGrader, createCodePool, withCode } from './code-pool.ts'
import type countTokens from './count-tokens.worker.ts'
import type readDataset from './datasets.worker.ts'
import type { DatasetAnswer, DatasetTask } from './datasets.worker.ts'
import type draft from './draft.worker.ts'
import type { DraftAnswer, DraftTask } from './draft.worker.ts'
import type { TellFault } from '../engine/grading/sandbox/sandbox.ts'
import type { ExportDone } from './export-file.ts'
import { type EvidencePool, createEvidencePool } from './evidence-pool.ts'
import { createExampleImportPool, type ReadExampleFile } from './example-import-pool.ts'
import { createAnswerPool, type ReadAnswers } from './answer-pool.ts'
import { createImportPool, type ReadImport } from './import-pool.ts'
import type { PackageAnswer, PackageTask } from './packages-task.ts'
import { openCodec } from './picture-codec.ts'
import { type ReportWatch, runReport } from './report-pool.ts'
import type { ReportTask } from './report.worker.ts'
import { createScorePool, type ScorePool } from './score-pool.ts'
import type { StartNodeProcess } from './node-process.ts'
import { createTracePool, type TraceWorkers } from './trace-pool.ts'
import { createVerdictPool, type VerdictPool } from './verdict-pool.ts'
import { createWorldPool, type WorldPool } from './world-pool.ts'
import { workerFile } from './worker-file.ts'
import type calibrate from './calibrate.worker.ts'
import type compare from './compare.worker.ts'
import type compareSides from './decision-tasks.worker.ts'
import type writeComparisonReport from './comparison-report.worker.ts'
import type writeCroissant from './croissant.worker.ts'
import type examinePages from './examine-pages.worker.ts'
import type quotedHeldOut from './held-out-text.worker.ts'
import type rank from './rank.worker.ts'
import type makePicture from './pictures.worker.ts'
import type readGguf from './read-gguf.worker.ts'
import type readPackages from './packages.worker.ts'
import type recommend from './recommend.worker.ts'
import type analyzeRelease from './release.worker.ts'
import type computeResults from './results.worker.ts'
import type verifyBackup from './verify-backup.worker.ts'

const minuteMs = 60_000
/** Megabytes of a thread that reads whole runs or datasets. */
const heapMb = 3_072

/** The same, called from the service's loop and done in a thread: what a worker takes and answers is typed by the worker itself. */
type Threaded<W extends Work> = (task: Parameters<W>[0]) => Promise<Awaited<ReturnType<W>>>
/** Work that ends with who asked for it. */
type Stoppable<W extends Work> = (task: Parameters<W>[0], signal: AbortSignal) => ReturnType<Threaded<W>>

/** The workers with one kind of work, by their files. */
interface WorkOf {
  readonly 'calibrate.worker': typeof calibrate
  readonly 'compare.worker': typeof compare
  readonly 'comparison-report.worker': typeof writeComparisonReport
  readonly 'count-tokens.worker': typeof countTokens
  readonly 'croissant.worker': typeof writeCroissant
  readonly 'decision-tasks.worker': typeof compareSides
  readonly 'examine-pages.worker': typeof examinePages
  readonly 'held-out-text.worker': typeof quotedHeldOut
  readonly 'rank.worker': typeof rank
  readonly 'read-gguf.worker': typeof readGguf
  readonly 'recommend.worker': typeof recommend
  readonly 'release.worker': typeof analyzeRelease
  readonly 'results.worker': typeof computeResults
  readonly 'task-search.worker': typeof searchTasks
  readonly 'verify-backup.worker': typeof verifyBackup
}

function threaded<Name extends keyof WorkOf>(pool: BoundedPool, name: Name): Threaded<WorkOf[Name]> & Stoppable<WorkOf[Name]> {
  const filename = workerFile(name)
  return (task: Parameters<WorkOf[Name]>[0], signal?: AbortSignal) => pool.run<WorkOf[Name]>(task, { signal, filename })
}

/** The threads beside the service's loop: some score, one counts tokens, one does the long work, one answers at once; none waits for another. */
export interface Workers {
  readonly scoringThreads: number
  /** Metrics that run model-written code are graded in the sandbox, the others by the scoring threads. */
  score: ScoreBatch
  /** Scores one output for somebody who waits for it. Metrics that run code are not among them. */
  try(metrics: readonly MetricPlan[], input: ScoreInput, signal: AbortSignal): Promise<readonly Score[]>
  /** What a judge's reply says. */
  readVerdict: VerdictPool['read']
  /** What is wrong with the options of a scorer that runs no code, or null. */
  checkScorer: ScorePool['check']
  /** What this machine can shut model-written code in with. */
  sandbox(): Promise<SandboxReport>
  /** Calls the function of a world's tool in the sandbox. */
  callFunction: CallWorldFunction
  /** Tokens of each prompt. */
  countTokens(prompts: readonly (readonly Message[])[]): Promise<number[]>
  /** Statistics over a finished run, as the contract's Results in JSON. */
  results: Stoppable<typeof computeResults>
  /** Writes an export of a run to a file. */
  report(task: ReportTask, watch?: ReportWatch): Promise<ExportDone>
  /** Writes the Croissant description of a benchmark version to a file. */
  croissant: Threaded<typeof writeCroissant>
  /** Compares ended runs sample by sample. */
  compare: Threaded<typeof compare>
  /** Ratings of models from battles. */
  rank: Stoppable<typeof rank>
  /** Analyzes a release decision, sample by sample. */
  release: Stoppable<typeof analyzeRelease>
  /** Pairs both sides of a release decision, task by task. */
  decisionTasks: Stoppable<typeof compareSides>
  /** Writes an export of a comparison to a file. */
  comparisonReport: Threaded<typeof writeComparisonReport>
  /** Finds tasks for an objective. */
  recommend: Threaded<typeof recommend>
  /** Finds the tasks of a benchmark version that match a search. */
  searchTasks: Threaded<typeof searchTasks>
  /** Finds a page among all samples of a run, or one letter for each of them; extends the index that searches read. */
  samples<Task extends SamplesTask>(task: Task): Promise<SamplesAnswer<Task>>
  /** What takes a look at a whole dataset: how far its annotators agree, what changed between versions, what repeats. */
  datasets<Task extends DatasetTask>(task: Task, signal?: AbortSignal): Promise<DatasetAnswer<Task>>
  /** Reads a proposed prompt against the cases that it may not quote. @throws WorkLimitError */
  quotedHeldOut: Stoppable<typeof quotedHeldOut>
  /** Figures of a calibration from its stored items. */
  calibrate: Threaded<typeof calibrate>
  /** Candidates for a dataset version, or how one of them does. */
  draft<Task extends DraftTask>(task: Task, signal: AbortSignal): Promise<DraftAnswer<Task>>
  /** What is wrong with a copy of the database, or null. */
  verifyBackup: Stoppable<typeof verifyBackup>
  /** What is wrong with the database in use; nothing when it is sound. */
  examinePages: Stoppable<typeof examinePages>
  /** Reads the files of an import, checks them and hands over what they hold. */
  readImport: ReadImport
  /** Reads and checks benchmark packages. */
  packages<Task extends PackageTask>(task: Task, signal?: AbortSignal): Promise<PackageAnswer<Task>>
  /** Reads a file of evidence and sums it up. */
  analyzeEvidence: EvidencePool['analyze']
  /** Counts the capabilities of a release suite's tasks. */
  suiteCapabilities: EvidencePool['capabilities']
  /** What the header of a GGUF file says. */
  readGguf: Threaded<typeof readGguf>
  /** Makes a smaller picture of a stored one, or says why it cannot. @throws WorkLimitError */
  makePicture: Threaded<typeof makePicture>
  readonly traces: TraceWorkers
  /** Checks and plays worlds that people make. */
  readonly worlds: Omit<WorldPool, 'close'>
  /** Reads a file of a dataset's examples, checks it and hands over what it holds. */
  readExamples: ReadExampleFile
  /** Reads imported outputs on a thread and hands them over in the order of their run. */
  readAnswers: ReadAnswers
  close(): Promise<void>
}

/**
 * @param databasePath for the threads that read much: each opens its own read-only connection
 * @param routeCode may send the grading of code elsewhere
 * @param startProcess starts Node where this program is not a Node that could be started again; null where it is
 * @param tell what fails while unused sandboxes are ended
 */
export function createWorkers(
  databasePath: string,
  routeCode = (local: CodeGrader): CodeGrader => local,
  startProcess: StartNodeProcess | null = null,
  tell?: TellFault,
): Workers {
  const files = {
    report: workerFile('report.worker'),
    samplePage: workerFile('sample-page.worker'),
    datasets: workerFile('datasets.worker'),
    draft: workerFile('draft.worker'),
  }
  const scoringThreads = Math.max(1, Math.min(4, availableParallelism() - 1))
  const scoring = createScorePool(workerFile('score.worker'), scoringThreads)
  const verdicts = createVerdictPool(workerFile('read-text.worker'))
  const workerData = { databasePath }
  // A run that has its last answer ends now, whatever file or copy takes its minutes meanwhile. Its thread ends at once: what searches read
  // is written next, and two heaps would be there.
  const ending = createBoundedPool({
    filename: workerFile('results.worker'),
    threads: 1,
    idleMs: 50,
    deadlineMs: 30 * minuteMs,
    heapMb,
    workerData,
  })
  // A thread of several kinds of work reads what its first task needs, and no file in advance.
  const long = createBoundedPool({ filename: null, threads: 1, idleMs: 1_000, deadlineMs: 60 * minuteMs, heapMb, workerData })
  // Pages of files, of which a backup may hold any number: an export is not to wait for them.
  const copies = createBoundedPool({ filename: null, threads: 1, idleMs: 1_000, deadlineMs: 60 * minuteMs, heapMb: 512, workerData })
  // Somebody looks at the screen until this has answered, so that it never queues behind an export or a comparison.
  const prompt = createBoundedPool({ filename: null, threads: 1, idleMs: 30_000, deadlineMs: 2 * minuteMs, heapMb, workerData })
  // A thousand resamples of many battles take a minute, and pages wait for the thread above.
  const ranking = createBoundedPool({ filename: workerFile('rank.worker'), threads: 1, idleMs: 1_000, deadlineMs: minuteMs, heapMb: 1_024 })
  // Each proposal of a search is read against all cases of its session, which no export is to delay.
  const quoting = createBoundedPool({
    filename: workerFile('held-out-text.worker'),
    threads: 1,
    idleMs: 1_000,
    deadlineMs: 2 * minuteMs,
    heapMb,
    workerData,
  })
  // A quote's prompts are counted once, and often a run begins right after: the thread ends at once, for its vocabulary is half of its
  // memory's worth. Outputs come by the batch for as long as a run of a provider that tells no usage.
  const counting = (idleMs: number) =>
    createBoundedPool({ filename: workerFile('count-tokens.worker'), threads: 1, idleMs, deadlineMs: 5 * minuteMs, heapMb: 1_024 })
  const [prompts, outputs] = [counting(50), counting(1_000)]
  const count = (pool: BoundedPool) => threaded(pool, 'count-tokens.worker')
  /** Tokens are worth no verdict: outputs that take too long to be counted have none. */
  const countOutputs = async (texts: readonly string[]): Promise<readonly (number | null)[]> => {
    if (texts.length === 0) return []
    try {
      return await count(outputs)({ kind: 'outputs', outputs: texts })
    } catch (error) {
      if (!(error instanceof WorkLimitError)) throw error
      return texts.map(() => null)
    }
  }
  const score: ScoreBatch = async (metrics, inputs) => {
    const uncounted = inputs.filter(input => input.countTokens)
    const [rows, counts] = await Promise.all([scoring.score(metrics, inputs), countOutputs(uncounted.map(input => input.output))])
    let counted = 0
    return rows.map((scores, i) => ({ scores, tokens: inputs[i]?.countTokens ? (counts[counted++] ?? null) : null }))
  }
  const code = createCodePool({
    filename: workerFile('code.worker'),
    sandboxCache: join(dirname(databasePath), 'cache'),
    startProcess,
    ...(tell && { tell }),
  })
  const answering = createAnswerPool(workerFile('read-answers.worker'), databasePath)
  const importing = createImportPool(workerFile('import.worker'), databasePath)
  // Untrusted packages are read in a separate thread, which is terminated when a package exceeds its limits.
  const packages = createBoundedPool({ ...fileBounds, filename: workerFile('packages.worker'), heapMb, workerData })
  const pictures = createBoundedPool({
    filename: workerFile('pictures.worker'),
    threads: scoringThreads,
    idleMs: 5_000,
    deadlineMs: minuteMs,
    heapMb: 512,
  })
  // Files of others, of which a look through folders reads a hundred: no page waits for one that is made to take long.
  const headers = createBoundedPool({
    filename: workerFile('read-gguf.worker'),
    threads: 1,
    idleMs: 1_000,
    deadlineMs: minuteMs / 2,
    heapMb: 1_024,
  })
  const worlds = createWorldPool(workerFile('worlds.worker'), code.callFunction)
  const traces = createTracePool(workerFile('traces.worker'), databasePath)
  const evidence = createEvidencePool(workerFile('evidence.worker'), databasePath)
  const examples = createExampleImportPool(workerFile('example-import.worker'), databasePath)
  return {
    scoringThreads,
    score: withCode(score, routeCode(code.grade)),
    try: scoring.try,
    readVerdict: verdicts.read,
    checkScorer: scoring.check,
    sandbox: () => code.sandbox(),
    callFunction: code.callFunction,
    countTokens: texts => count(prompts)({ kind: 'prompts', prompts: texts }),
    results: threaded(ending, 'results.worker'),
    report: async (task, watch) => {
      // Its pictures are made in the same thread; without the codec it has none.
      if (task.format === 'html') await openCodec()
      return runReport(long, files.report, task, watch)
    },
    croissant: threaded(long, 'croissant.worker'),
    compare: threaded(long, 'compare.worker'),
    rank: threaded(ranking, 'rank.worker'),
    release: threaded(long, 'release.worker'),
    decisionTasks: threaded(prompt, 'decision-tasks.worker'),
    comparisonReport: threaded(long, 'comparison-report.worker'),
    recommend: threaded(prompt, 'recommend.worker'),
    searchTasks: threaded(prompt, 'task-search.worker'),
    samples: task =>
      (task.kind === 'index' ? long : prompt).run<typeof samples, SamplesAnswer<typeof task>>(task, { filename: files.samplePage }),
    readGguf: threaded(headers, 'read-gguf.worker'),
    makePicture: async task => {
      const reason = await openCodec()
      return reason === null ? pictures.run<typeof makePicture>(task) : { ok: false, reason }
    },
    traces,
    worlds,
    // A scan takes long; the others serve a page that is being viewed.
    datasets: (task, signal) =>
      (task.kind === 'scan' ? long : prompt).run<typeof readDataset, DatasetAnswer<typeof task>>(task, {
        filename: files.datasets,
        signal,
      }),
    quotedHeldOut: threaded(quoting, 'held-out-text.worker'),
    calibrate: threaded(long, 'calibrate.worker'),
    draft: (task, signal) => long.run<typeof draft, DraftAnswer<typeof task>>(task, { filename: files.draft, signal }),
    examinePages: threaded(copies, 'examine-pages.worker'),
    verifyBackup: threaded(copies, 'verify-backup.worker'),
    readImport: importing.read,
    packages: (task, signal) => packages.run<typeof readPackages, PackageAnswer<typeof task>>(task, { signal }),
    analyzeEvidence: evidence.analyze,
    suiteCapabilities: evidence.capabilities,
    readExamples: examples.read,
    readAnswers: answering.read,
    close: async () => {
      await Promise.all([
        importing.close(),
        verdicts.close(),
        examples.close(),
        evidence.close(),
        answering.close(),
        scoring.close(),
        prompts.close(),
        outputs.close(),
        ending.close(),
        long.close(),
        copies.close(),
        prompt.close(),
        ranking.close(),
        quoting.close(),
        headers.close(),
        code.close(),
        packages.close(),
        pictures.close(),
        traces.close(),
        worlds.close(),
      ])
    },
  }
}
