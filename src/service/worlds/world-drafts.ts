import { z } from 'zod'
import { notFound, requireFound } from '../../contract/errors.ts'
import type { JobOwner } from '../../contract/jobs/jobs.schemas.ts'
import type { NewWorldDraft, WorldDraft } from '../../contract/worlds/drafts.schemas.ts'
import type { DraftedWorld } from '../../contract/worlds/play.schemas.ts'
import type { Jobs } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { requireFewer } from '../require-fewer.ts'
import {
  type DraftRow,
  dropWorldDrafts,
  findWorldDraft,
  insertWorldDraft,
  sourceOfDraft,
  storeDraftedWorlds,
} from './world-drafts.store.ts'

/** @param progress steps done, of so many */
export type MakeWorlds = (
  workspaceId: string,
  source: NewWorldDraft,
  signal: AbortSignal,
  progress: (done: number, total: number, message: string) => void,
) => Promise<readonly DraftedWorld[]>

/** A draft is looked at once, and then created or left. */
const keptMs = 7 * 24 * 3_600_000
/** Of a workspace: each holds up to 16 MB of files while it waits, and afterwards its worlds. */
const [mostWaiting, mostKept] = [10, 20]

const Input = z.strictObject({ draft_id: z.string() })

/** Worlds that are made in the background; after a kill they are made again from what they are made of. */
export function createWorldDrafts(
  { db, ids, clock }: Pick<Kernel, 'db' | 'ids' | 'clock'>,
  jobs: Pick<Jobs, 'register' | 'enqueue' | 'open'>,
  make: MakeWorlds,
) {
  const present = (id: string): DraftRow => {
    return requireFound(findWorldDraft(db, id), 'environment draft', id)
  }
  jobs.register<z.infer<typeof Input>>({
    kind: 'world_draft',
    input: Input,
    lane: 'world_draft',
    concurrency: 1,
    run: async ({ input, signal, progress }) => {
      const { id, workspaceId } = present(input.draft_id)
      const source = sourceOfDraft(db, id)
      if (!source) return
      const worlds = await make(workspaceId, source, signal, (done, total, message) => progress({ done, total, message }))
      return () => storeDraftedWorlds(db, id, source, worlds)
    },
    retried: () => {},
  })
  const read = (workspaceId: string, id: string): { readonly draft: WorldDraft; readonly isOfTraces: boolean } => {
    const { workspaceId: own, isOfTraces, ...draft } = present(id)
    if (own !== workspaceId) throw notFound('environment draft', id)
    return { draft, isOfTraces }
  }
  return {
    read,
    start: (workspaceId: string, owner: JobOwner, title: string, source: NewWorldDraft): WorldDraft =>
      db.transaction(() => {
        const waiting = jobs.open('world_draft').filter(job => job.workspace_id === workspaceId).length
        requireFewer(waiting, mostWaiting, 'drafts of environments that are being made', 'Wait for one, or cancel its job.')
        dropWorldDrafts(db, workspaceId, new Date(clock.now().getTime() - keptMs).toISOString(), mostKept - 1)
        const id = ids.next()
        const subject = { type: 'world_draft', id }
        const jobId = jobs.enqueue('world_draft', { workspaceId, owner, input: { draft_id: id }, subject })
        insertWorldDraft(db, { id, workspaceId, job_id: jobId, title, created_at: timestamp(clock) }, source)
        return read(workspaceId, id).draft
      }),
  }
}
