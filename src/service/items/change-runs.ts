import { setImmediate as turn } from 'node:timers/promises'
import { ApiError } from '../../contract/errors.ts'
import { mostRefusalsNamed, type RunsChange, type RunsChanged } from '../../contract/items/matching-runs.schemas.ts'
import type { AnnotationsService } from '../annotations/index.ts'
import type { Asker } from '../http/handler.ts'
import { jobOwner } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { Runs } from '../runs/index.ts'
import { changeItem } from './items.store.ts'

/** Runs changed in one transaction: the service answers others between two. */
const slice = 100

export interface RunsChangeDependencies {
  readonly runs: Pick<Runs, 'several'>
  readonly annotations: Pick<AnnotationsService, 'requireTaggable' | 'change'>
}

/**
 * Archives, tags, moves or deletes many runs. One that may not be changed, or that another request has deleted meanwhile, is named; the
 * others are changed.
 */
export function createRunsChange(
  { db, clock }: Pick<Kernel, 'db' | 'clock'>,
  { runs: { several }, annotations }: RunsChangeDependencies,
): (asker: Asker, change: RunsChange) => Promise<RunsChanged> {
  const require = (workspaceId: string, id: string, change: RunsChange): void => {
    several.nameOf(workspaceId, id)
    if (change.delete) several.requireDeletable(workspaceId, id)
    else if (tagsOf(change)) annotations.requireTaggable(workspaceId, id, change)
  }
  const apply = (asker: Asker, ids: readonly string[], change: RunsChange): void => {
    const { workspace, principal } = asker
    const workspaceId = workspace.id
    const { archived, folder } = change
    if (change.delete) several.delete(workspaceId, ids, jobOwner(principal))
    if (archived !== undefined) several.archive(workspaceId, ids, archived)
    for (const id of folder === undefined ? [] : ids) changeItem(db, workspaceId, { kind: 'run', id, at: timestamp(clock), folder })
    const tags = tagsOf(change)
    for (const id of tags ? ids : []) annotations.change(asker, id, tags ?? {})
  }

  return async (asker, change) => {
    const workspaceId = asker.workspace.id
    const ids = change.filter ? several.matching(workspaceId, change.filter) : [...new Set(change.run_ids)]
    for (const id of change.run_ids ?? []) several.nameOf(workspaceId, id)
    if (change.filter && change.expected !== undefined && change.expected !== ids.length)
      throw new ApiError('conflict', `The filter matches ${ids.length} runs now, not ${change.expected}. Look at the list again.`)
    const refused: RunsChanged['refused'] = []
    let changed = 0
    for (let from = 0; from < ids.length; from += slice) {
      if (from > 0) await turn()
      db.transaction(() => {
        const free = ids.slice(from, from + slice).filter(id => {
          try {
            require(workspaceId, id, change)
            return true
          } catch (error) {
            if (!(error instanceof ApiError)) throw error
            // One that is gone has no name.
            const name = error.code === 'not_found' ? id : several.nameOf(workspaceId, id)
            refused.push({ run_id: id, name, code: error.code, message: error.message })
            return false
          }
        })
        if (!change.dry_run) apply(asker, free, change)
        changed += free.length
      })
    }
    return { matched: ids.length, changed, refused: refused.slice(0, mostRefusalsNamed), refused_count: refused.length }
  }
}

function tagsOf({ add_tags, remove_tags }: RunsChange) {
  return add_tags === undefined && remove_tags === undefined ? null : { add_tags, remove_tags }
}
