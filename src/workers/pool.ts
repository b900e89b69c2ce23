import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import type { ComparisonQuestion } from '../engine/comparisons/compare-runs.ts'
import type { ScoreBatch } from '../engine/scheduler/ports.ts'
import type { CompareDone } from './compare.worker.ts'
import type { ComparisonReportTask } from './comparison-report.worker.ts'
import type { ExportDone } from './export-file.ts'
import type { MeasureTask } from './measure.worker.ts'
import type { ReportTask } from './report.worker.ts'
import type { ResultsTask } from './results.worker.ts'

/** The threads beside the service's loop: some score, one does the long work, so that neither waits for the other. */
export interface Workers {
  readonly scoringThreads: number
  score: ScoreBatch
  /** Tokens of each prompt. */
  countTokens(task: MeasureTask): Promise<number[]>
  /** Statistics over a finished run, as the contract's Results in JSON. */
  results(task: ResultsTask): Promise<string>
  /** Writes an export of a run to a file. */
  report(task: ReportTask): Promise<ExportDone>
  /** Compares ended runs sample by sample. */
  compare(question: ComparisonQuestion): Promise<CompareDone>
  /** Writes an export of a comparison to a file. */
  comparisonReport(task: ComparisonReportTask): Promise<ExportDone>
  close(): Promise<void>
}

/** The built worker beside this file, or its source. A wrong path would crash the process later, so it is looked at now. */
function workerFile(name: string): string {
  const candidates = [`./workers/${name}.js`, `./${name}.js`, `./${name}.ts`].map(path => fileURLToPath(new URL(path, import.meta.url)))
  const found = candidates.find(path => existsSync(path.replace(/app\.asar([\\/])/, 'app.asar.unpacked$1')))
  if (!found) throw new Error(`The worker ${name} is missing; build the product again with "npm run build".`)
  return found.replace(/app\.asar([\\/])/, 'app.asar.unpacked$1')
}

/** @param databasePath for the threads that read much: each opens its own read-only connection */
export function createWorkers(databasePath: string): Workers {
  const scoringThreads = Math.max(1, Math.min(4, availableParallelism() - 1))
  const scoring = new Piscina({ filename: workerFile('score.worker'), minThreads: 0, maxThreads: scoringThreads, idleTimeout: 30_000 })
  const long = new Piscina({
    filename: workerFile('results.worker'),
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 10_000,
    workerData: { databasePath },
  })
  const files = {
    measure: workerFile('measure.worker'),
    report: workerFile('report.worker'),
    compare: workerFile('compare.worker'),
    comparisonReport: workerFile('comparison-report.worker'),
  }
  return {
    scoringThreads,
    score: (metrics, inputs) => scoring.run({ metrics, inputs }),
    countTokens: task => long.run(task, { filename: files.measure }),
    results: task => long.run(task),
    report: task => long.run(task, { filename: files.report }),
    compare: question => long.run(question, { filename: files.compare }),
    comparisonReport: task => long.run(task, { filename: files.comparisonReport }),
    close: async () => {
      await Promise.all([scoring.destroy(), long.destroy()])
    },
  }
}
