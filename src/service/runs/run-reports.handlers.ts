import type { runReportsEndpoints } from '../../contract/runs/run-reports.endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import type { Runs } from './runs.service.ts'

export function runReportsHandlers(runs: Runs): Handlers<typeof runReportsEndpoints> {
  return {
    getLeaderboard: ({ workspaceId }, { query }) => runs.leaderboard(workspaceId, query.archived),
    listRunBatches: ({ workspaceId }, { params }) => ({ items: runs.batches(workspaceId, params.run_id) }),
    getScoreHistory: ({ workspaceId }, { query }) => runs.scoreHistory(workspaceId, query),
    getAttackMatrix: ({ workspaceId }, { params }) => runs.attacks(workspaceId, params.run_id),
  }
}
