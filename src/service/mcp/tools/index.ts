import type { Tool } from '../tool.ts'
import { cancelRun } from './cancel-run.ts'
import { compareRuns } from './compare-runs.ts'
import { addConnection, checkConnection } from './connections.ts'
import { createQuote } from './create-quote.ts'
import { evaluateTasks, quoteTasks } from './evaluate-tasks.ts'
import { getDecision } from './get-decision.ts'
import { getResults } from './get-results.ts'
import { getRun } from './get-run.ts'
import { getSample } from './get-sample.ts'
import { importPreview } from './import-preview.ts'
import { listBenchmarks } from './list-benchmarks.ts'
import { listDatasetExamples } from './list-dataset-examples.ts'
import { listDatasets } from './list-datasets.ts'
import { listDecisions } from './list-decisions.ts'
import { listEnvironments } from './list-environments.ts'
import { listEvaluators } from './list-evaluators.ts'
import { listModels } from './list-models.ts'
import { listRuns } from './list-runs.ts'
import { listSamples } from './list-samples.ts'
import { listTuneSessions } from './list-tune-sessions.ts'
import { approveExample, approveTune, commitImport } from './person-decides.ts'
import { recommendTasks } from './recommend-tasks.ts'
import { regradeRun } from './regrade-run.ts'
import { reportFeedback } from './report-feedback.ts'
import { retryFailed } from './retry-failed.ts'
import { startCalibration } from './start-calibration.ts'
import { submitRun } from './submit-run.ts'
import { waitRun } from './wait-run.ts'

/** Every tool, in the order in which a client lists them. A new one is a file beside this and a line here. */
export const tools: readonly Tool[] = [
  listBenchmarks,
  listEnvironments,
  listModels,
  addConnection,
  checkConnection,
  recommendTasks,
  quoteTasks,
  evaluateTasks,
  createQuote,
  submitRun,
  listRuns,
  getRun,
  waitRun,
  getResults,
  compareRuns,
  listSamples,
  getSample,
  cancelRun,
  retryFailed,
  regradeRun,
  listEvaluators,
  startCalibration,
  listDecisions,
  getDecision,
  listDatasets,
  listDatasetExamples,
  listTuneSessions,
  importPreview,
  commitImport,
  approveExample,
  approveTune,
  reportFeedback,
]
