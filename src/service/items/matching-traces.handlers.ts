import { setImmediate as turn } from 'node:timers/promises'
import { ApiError } from '../../contract/errors.ts'
import type { matchingTracesEndpoints } from '../../contract/items/matching-traces.endpoints.ts'
import { requireScope } from '../auth/index.ts'
import type { Handlers } from '../http/handler.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { TraceWorkers } from '../../workers/trace-pool.ts'
import { findTraces, matchingTraceIds } from '../traces/index.ts'
import { changeItem } from './items.store.ts'

/** Traces changed in one transaction: the service answers others between two. */
const slice = 500

export function matchingTracesHandlers(
  { db, clock }: Pick<Kernel, 'db' | 'clock'>,
  workers: TraceWorkers,
): Handlers<typeof matchingTracesEndpoints> {
  return {
    changeTraces: async (context, { body: { filter, expected, as_of: asOf, dry_run: dry, ...change } }) => {
      const { workspaceId, workspace, principal, signal } = context
      // How many match says what is in them.
      requireScope(principal, workspace, 'traces:read')
      const at = asOf ?? timestamp(clock)
      const ids = await matchingTraceIds(db, findTraces(workers, signal), workspaceId, filter, asOf)
      if (expected !== undefined && (asOf === undefined ? ids.length !== expected : ids.length > expected))
        throw new ApiError('conflict', `The filter matches ${ids.length} traces now, not ${expected}. Look at the list again.`)
      if (dry) return { matched: ids.length, as_of: at, changed: 0 }
      for (let from = 0; from < ids.length; from += slice) {
        if (from > 0) await turn()
        db.transaction(() => {
          for (const id of ids.slice(from, from + slice))
            changeItem(db, workspaceId, { kind: 'trace', id, at: timestamp(clock), ...change })
        })
      }
      return { matched: ids.length, as_of: at, changed: ids.length }
    },
  }
}
