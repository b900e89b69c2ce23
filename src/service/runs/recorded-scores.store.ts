import { z } from 'zod'
import type { ScoreInput } from '../../engine/grading/scorers/scorer.ts'
import type { Database } from '../../storage/database.ts'

const Row = z.object({ name: z.string(), value: z.number(), explanation: z.string().nullable(), label: z.string().nullable() })

/** Reads the scores that files stated beside imported answers, by name; nothing for answers that were generated here. */
export function createRecordedScores(db: Database): (runNo: number, position: number) => ScoreInput['recorded'] {
  const select = db.prepare('select name, value, explanation, label from log_scores where run_no = ? and position = ?')
  return (runNo, position) => {
    const rows = select.all(runNo, position).map(row => Row.parse(row))
    return rows.length === 0 ? undefined : Object.fromEntries(rows.map(({ name, ...score }) => [name, score]))
  }
}
