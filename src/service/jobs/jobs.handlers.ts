import { type Job, startScopes } from '../../contract/jobs/jobs.schemas.ts'
import type { jobsEndpoints } from '../../contract/jobs/jobs.endpoints.ts'
import { requireScope, scopesIn } from '../auth/index.ts'
import type { Handlers, WorkspaceContext } from '../http/handler.ts'
import type { InstallationService } from '../installation/index.ts'
import type { Jobs } from './jobs.service.ts'

export function jobsHandlers(jobs: Jobs, installation: Pick<InstallationService, 'requireOwner'>): Handlers<typeof jobsEndpoints> {
  /** What works on the whole machine concerns every workspace. */
  const requireControl = ({ principal, workspace, workspaceId }: WorkspaceContext, id: string): Job => {
    const job = jobs.read(workspaceId, id)
    if (job.workspace_id !== null) return job
    requireScope(principal, workspace, 'workspace:write')
    // Whoever may start it may stop it.
    installation.requireOwner(principal, `stop or repeat the ${job.kind.replaceAll('_', ' ')} of the whole machine`, {
      allowLocalKey: true,
    })
    return job
  }
  return {
    listJobs: ({ workspaceId }, { query }) => jobs.list(workspaceId, query),
    getJob: ({ principal, workspace, workspaceId }, { params }) => {
      const job = jobs.read(workspaceId, params.job_id)
      if (!scopesIn(principal, workspace).includes(startScopes[job.kind])) requireScope(principal, workspace, 'jobs:read')
      return job
    },
    cancelJob: (context, { params }) => {
      requireControl(context, params.job_id)
      return jobs.cancel(context.workspaceId, params.job_id)
    },
    retryJob: (context, { params }) => {
      const { kind } = requireControl(context, params.job_id)
      requireScope(context.principal, context.workspace, startScopes[kind])
      return jobs.retry(context.workspaceId, params.job_id, context.principal.id)
    },
  }
}
