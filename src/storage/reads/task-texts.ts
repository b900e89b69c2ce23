import { z } from 'zod'
import type { Database } from '../database.ts'

const Row = z.object({ task_id: z.string(), preview: z.string(), capabilities: z.string() })
const Strings = z.array(z.string())

/** Looks safe texts of tasks up by number. @throws Error naming a number that does not exist: a run froze it, so it must. */
export function taskTexts(db: Database) {
  const select = db.prepare('select task_id, preview, capabilities from tasks where no = ?')
  return (no: number) => {
    const row = Row.safeParse(select.get(no))
    if (!row.success) throw new Error(`Task ${no} is gone.`)
    return { ...row.data, capabilities: Strings.parse(JSON.parse(row.data.capabilities)) }
  }
}
