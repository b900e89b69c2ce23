import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import type { ComparisonQuestion } from '../engine/reporting/comparisons/compare-runs.ts'
import type { RankingOutcome } from '../engine/reporting/comparisons/rank-models.ts'
import type { RecommendationAnswer, RecommendationQuestion } from '../engine/reporting/recommendations/recommend.ts'
import type { SandboxReport } from '../engine/grading/sandbox/open-sandbox.ts'
import type { CallWorldFunction } from '../engine/grading/sandbox/world-functions.ts'
import type { MetricPlan, ScoreBatch } from '../engine/execution/scheduler/ports.ts'
import type { CalibrationFigures } from '../engine/grading/calibration/calibrate.ts'
import type { Score, ScoreInput } from '../engine/grading/scorers/scorer.ts'
import type { Message, NewRanking } from '../contract/index.ts'
import type { SamplesAnswer, SamplesTask } from './sample-page.worker.ts'
import { createBoundedPool, fileBounds, WorkLimitError } from './bounded-pool.ts'
import { type CodeGrader, createCodePool, withCode } from './code-pool.ts'
import type { CalibrateTask } from './calibrate.worker.ts'
import type { CompareDone } from './compare.worker.ts'
import type { ComparisonReportTask } from './comparison-report.worker.ts'
import type { CroissantTask } from './croissant.worker.ts'
import type { CountTask } from './count-tokens.worker.ts'
import type { DatasetAnswer, DatasetTask } from './datasets.worker.ts'
import type { DraftAnswer, DraftTask } from './draft.worker.ts'
import type { ExportDone } from './export-file.ts'
import { type EvidencePool, createEvidencePool } from './evidence-pool.ts'
import { createExampleImportPool, type ReadExampleFile } from './example-import-pool.ts'
import { createAnswerPool, type ReadAnswers } from './answer-pool.ts'
import { createImportPool, type ReadImport } from './import-pool.ts'
import type { PackageAnswer, PackageTask } from './packages-task.ts'
import { type ReportWatch, runReport } from './report-pool.ts'
import type { GgufRead, ReadGgufTask } from './gguf-header.ts'
import type { ReportTask } from './report.worker.ts'
import type { ReleaseAnswer, ReleaseQuestion } from './release.worker.ts'
import type { ResultsTask } from './results.worker.ts'
import { createScorePool } from './score-pool.ts'
import type { ExamineTask } from './examine-pages.worker.ts'
import type { StartNodeProcess } from './node-process.ts'
import { createTracePool, type TraceWorkers } from './trace-pool.ts'
import type { Verified } from '../storage/verify-copy.ts'
import type { VerifyBackupTask } from './verify-backup.worker.ts'
import { createVerdictPool, type VerdictPool } from './verdict-pool.ts'
import { createWorldPool, type WorldPool } from './world-pool.ts'
import { workerFile } from './worker-file.ts'

const minuteMs = 60_000
/** Megabytes of a thread that reads whole runs or datasets. */
const heapMb = 3_072

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
  checkScorer(spec: Pick<MetricPlan, 'scorer' | 'options'>, signal: AbortSignal): Promise<string | null>
  /** What this machine can shut model-written code in with. */
  sandbox(): Promise<SandboxReport>
  /** Calls the function of a world's tool in the sandbox. */
  callFunction: CallWorldFunction
  /** Tokens of each prompt. */
  countTokens(prompts: readonly (readonly Message[])[]): Promise<number[]>
  /** Statistics over a finished run, as the contract's Results in JSON. */
  results(task: ResultsTask, signal: AbortSignal): Promise<string>
  /** Writes an export of a run to a file. */
  report(task: ReportTask, watch?: ReportWatch): Promise<ExportDone>
  /** Writes the Croissant description of a benchmark version to a file. */
  croissant(task: CroissantTask): Promise<ExportDone>
  /** Compares ended runs sample by sample. */
  compare(question: ComparisonQuestion): Promise<CompareDone>
  /** Ratings of models from battles. */
  rank(question: NewRanking, signal: AbortSignal): Promise<RankingOutcome>
  /** Analyzes a release decision, sample by sample. */
  release(question: ReleaseQuestion, signal: AbortSignal): Promise<ReleaseAnswer>
  /** Writes an export of a comparison to a file. */
  comparisonReport(task: ComparisonReportTask): Promise<ExportDone>
  /** Finds tasks for an objective. */
  recommend(question: RecommendationQuestion): Promise<RecommendationAnswer>
  /** Finds a page among all samples of a run, or one letter for each of them; extends the index that searches read. */
  samples<Task extends SamplesTask>(task: Task): Promise<SamplesAnswer<Task>>
  /** What takes a look at a whole dataset: how far its annotators agree, what changed between versions, what repeats. */
  datasets<Task extends DatasetTask>(task: Task, signal?: AbortSignal): Promise<DatasetAnswer<Task>>
  /** Figures of a calibration from its stored items. */
  calibrate(task: CalibrateTask): Promise<CalibrationFigures>
  /** Candidates for a dataset version, or how one of them does. */
  draft<Task extends DraftTask>(task: Task, signal: AbortSignal): Promise<DraftAnswer<Task>>
  /** What is wrong with a copy of the database, or null. */
  verifyBackup(task: VerifyBackupTask, signal: AbortSignal): Promise<Verified>
  /** What is wrong with the database in use; nothing when it is sound. */
  examinePages(task: ExamineTask, signal: AbortSignal): Promise<string[]>
  /** Reads the files of an import, checks them and hands over what they hold. */
  readImport: ReadImport
  /** Reads and checks benchmark packages. */
  packages<Task extends PackageTask>(task: Task, signal?: AbortSignal): Promise<PackageAnswer<Task>>
  /** Reads a file of evidence and sums it up. */
  analyzeEvidence: EvidencePool['analyze']
  /** Counts the capabilities of a release suite's tasks. */
  suiteCapabilities: EvidencePool['capabilities']
  /** What the header of a GGUF file says. */
  readGguf(task: ReadGgufTask): Promise<GgufRead>
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
 */
export function createWorkers(
  databasePath: string,
  routeCode = (local: CodeGrader): CodeGrader => local,
  startProcess: StartNodeProcess | null = null,
): Workers {
  const files = {
    report: workerFile('report.worker'),
    recommend: workerFile('recommend.worker'),
    croissant: workerFile('croissant.worker'),
    compare: workerFile('compare.worker'),
    release: workerFile('release.worker'),
    comparisonReport: workerFile('comparison-report.worker'),
    verifyBackup: workerFile('verify-backup.worker'),
    examinePages: workerFile('examine-pages.worker'),
    datasets: workerFile('datasets.worker'),
    samplePage: workerFile('sample-page.worker'),
    calibrate: workerFile('calibrate.worker'),
    draft: workerFile('draft.worker'),
    readGguf: workerFile('read-gguf.worker'),
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
  // Somebody looks at the screen until this has answered, so that it never queues behind an export or a comparison.
  const prompt = createBoundedPool({ filename: null, threads: 1, idleMs: 30_000, deadlineMs: 2 * minuteMs, heapMb, workerData })
  // A thousand resamples of many battles take a minute, and pages wait for the thread above.
  const ranking = createBoundedPool({ filename: workerFile('rank.worker'), threads: 1, idleMs: 1_000, deadlineMs: minuteMs, heapMb: 1_024 })
  // A quote's prompts are counted once, and often a run begins right after: the thread ends at once, for its vocabulary is half of its
  // memory's worth. Outputs come by the batch for as long as a run of a provider that tells no usage.
  const counting = (idleMs: number) =>
    createBoundedPool({ filename: workerFile('count-tokens.worker'), threads: 1, idleMs, deadlineMs: 5 * minuteMs, heapMb: 1_024 })
  const [prompts, outputs] = [counting(50), counting(1_000)]
  /** Tokens are worth no verdict: outputs that take too long to be counted have none. */
  const countOutputs = async (texts: readonly string[]): Promise<readonly (number | null)[]> => {
    if (texts.length === 0) return []
    try {
      return await outputs.run<number[]>({ kind: 'outputs', outputs: texts } satisfies CountTask)
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
  })
  const answering = createAnswerPool(workerFile('read-answers.worker'), databasePath)
  const importing = createImportPool(workerFile('import.worker'), databasePath)
  // Untrusted packages are read in a separate thread, which is terminated when a package exceeds its limits.
  const packages = createBoundedPool({ ...fileBounds, filename: workerFile('packages.worker'), heapMb, workerData })
  const worlds = createWorldPool(workerFile('worlds.worker'), code.callFunction)
  const traces = createTracePool(workerFile('traces.worker'), databasePath)
  const evidence = createEvidencePool(workerFile('evidence.worker'), databasePath)
  const examples = createExampleImportPool(workerFile('example-import.worker'))
  return {
    scoringThreads,
    score: withCode(score, routeCode(code.grade)),
    try: scoring.try,
    readVerdict: verdicts.read,
    checkScorer: scoring.check,
    sandbox: () => code.sandbox(),
    callFunction: code.callFunction,
    countTokens: texts => prompts.run({ kind: 'prompts', prompts: texts } satisfies CountTask),
    results: (task, signal) => ending.run(task, { signal }),
    report: (task, watch) => runReport(long, files.report, task, watch),
    croissant: task => long.run(task, { filename: files.croissant }),
    compare: question => long.run(question, { filename: files.compare }),
    rank: (question, signal) => ranking.run(question, { signal }),
    release: (question, signal) => long.run(question, { filename: files.release, signal }),
    comparisonReport: task => long.run(task, { filename: files.comparisonReport }),
    recommend: question => prompt.run(question, { filename: files.recommend }),
    samples: task => (task.kind === 'index' ? long : prompt).run(task, { filename: files.samplePage }),
    readGguf: task => prompt.run(task, { filename: files.readGguf }),
    traces,
    worlds,
    // A scan takes long; the others serve a page that is being viewed.
    datasets: (task, signal) => (task.kind === 'scan' ? long : prompt).run(task, { filename: files.datasets, signal }),
    calibrate: task => long.run(task, { filename: files.calibrate }),
    draft: (task, signal) => long.run(task, { filename: files.draft, signal }),
    examinePages: (task, signal) => long.run(task, { filename: files.examinePages, signal }),
    verifyBackup: (task, signal) => long.run(task, { filename: files.verifyBackup, signal }),
    readImport: importing.read,
    packages: (task, signal) => packages.run(task, { signal }),
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
        prompt.close(),
        ranking.close(),
        code.close(),
        packages.close(),
        traces.close(),
        worlds.close(),
      ])
    },
  }
}
