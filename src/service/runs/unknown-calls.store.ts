import { z } from 'zod'
import type { Database } from '../../storage/database.ts'
import { readBegunCalls } from './call-log.ts'

const Place = z.object({ fence: z.int() })

/** How many of the calls that were begun belong to no claim that the database has: the run or the claim was lost. */
export function callsUnknownTo(db: Database, callsPath: string): number {
  const claim = db.prepare('select fence from samples where run_no = ? and position = ?')
  return readBegunCalls(callsPath, db.path).filter(({ runNo, position, fence }) => {
    const found = claim.get(runNo, position)
    return found === undefined || Place.parse(found).fence < fence
  }).length
}
