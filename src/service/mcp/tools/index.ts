import type { Tool } from '../tool.ts'
import { cancelRun } from './cancel-run.ts'
import { compareRuns } from './compare-runs.ts'
import { createQuote } from './create-quote.ts'
import { getResults } from './get-results.ts'
import { getRun } from './get-run.ts'
import { getSample } from './get-sample.ts'
import { listBenchmarks } from './list-benchmarks.ts'
import { listModels } from './list-models.ts'
import { listSamples } from './list-samples.ts'
import { retryFailed } from './retry-failed.ts'
import { submitRun } from './submit-run.ts'
import { waitRun } from './wait-run.ts'

/** Every tool, in the order in which a client lists them. A new one is a file beside this and a line here. */
export const tools: readonly Tool[] = [
  listBenchmarks,
  listModels,
  createQuote,
  submitRun,
  getRun,
  waitRun,
  getResults,
  compareRuns,
  listSamples,
  getSample,
  cancelRun,
  retryFailed,
]
