import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { ApiError } from '../../contract/errors.ts'
import type { StartedDemo } from '../../contract/workspace/workspace.schemas.ts'
import { removeWorkspace } from '../../storage/remove-workspace.ts'
import { type Principal, requireRole, type WorkspaceMembership } from '../auth/index.ts'
import { callInProcess } from '../http/in-process.ts'
import { jobOwner, type Jobs } from '../jobs/index.ts'
import type { Kernel } from '../kernel.ts'
import type { Runs } from '../runs/index.ts'
import type { Sessions } from '../sessions/index.ts'
import { personOf, type Workspaces } from '../workspace/index.ts'
import { chapters, Made } from './chapters.ts'
import { createDemoTools } from './demo-tools.ts'

interface Dependencies {
  readonly http: FastifyInstance
  readonly jobs: Jobs
  readonly runs: Pick<Runs, 'cancelAll' | 'removeFiles'>
  readonly sessions: Pick<Sessions, 'openWorkSession'>
  readonly workspaces: Workspaces
}

export interface Demo {
  /** @throws ApiError human_approval_required, conflict where the person has one */
  start(principal: Principal): StartedDemo
  /** With everything in it. @throws ApiError owner_session_required, conflict where it is not a demo */
  remove(principal: Principal, workspace: WorkspaceMembership): Promise<void>
}

/** A workspace named Demo, filled by requests of the person who asked for it, so that everything in it is what the product makes. */
export function createDemo(kernel: Kernel, { http, jobs, runs, sessions, workspaces }: Dependencies): Demo {
  const { db } = kernel
  jobs.register({
    kind: 'demo',
    input: z.strictObject({ personId: z.string() }),
    lane: 'demo',
    concurrency: 1,
    run: async ({ id, workspaceId, input, checkpoint, progress, commit, signal }) => {
      if (workspaceId === null) throw new Error('A demo is filled in a workspace.')
      const session = sessions.openWorkSession(input.personId)
      try {
        const headers = {
          authorization: `Bearer ${session.token}`,
          'x-workspace-id': workspaceId,
          host: new URL(kernel.accessPolicy().baseUrl).host,
        }
        const calls = callInProcess(http, headers)
        let made = checkpoint === null ? { chapters: 0, runIds: [] } : Made.parse(checkpoint)
        for (const { title, make } of chapters.slice(made.chapters)) {
          progress({ done: made.chapters, total: chapters.length, message: title })
          const tools = createDemoTools(calls, { signal, key: `demo-${id}-${made.chapters}`, workspaceId })
          const runIds = (await make(tools, made)) ?? made.runIds
          made = { chapters: made.chapters + 1, runIds: [...runIds] }
          commit(() => undefined, made)
        }
        progress({ done: chapters.length, total: chapters.length })
      } finally {
        session.end()
      }
    },
    retried: () => {},
  })

  return {
    start: principal => {
      const { personId, workspaces: own } = personOf(principal)
      const present = own.find(({ isDemo, role }) => isDemo && role === 'owner')
      if (present)
        throw new ApiError(
          'conflict',
          `You have a demo already, the workspace "${present.name}" (${present.id}). Open it, or remove it first.`,
        )
      return db.transaction(() => {
        const workspace = workspaces.create(principal, 'Demo', true)
        const subject = { type: 'workspace', id: workspace.id }
        const job_id = jobs.enqueue('demo', { workspaceId: workspace.id, owner: jobOwner(principal), input: { personId }, subject })
        return { workspace, job_id }
      })
    },
    remove: async (principal, workspace) => {
      requireRole(principal, workspace, ['owner'], 'remove a workspace')
      if (!workspace.isDemo) throw new ApiError('conflict', `The workspace "${workspace.name}" is not a demo. Only demos can be removed.`)
      await jobs.cancelAll(workspace.id)
      await runs.cancelAll(workspace.id)
      runs.removeFiles(removeWorkspace(db, workspace.id))
    },
  }
}
