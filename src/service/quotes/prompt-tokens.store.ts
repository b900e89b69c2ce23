import { z } from 'zod'
import type { Database } from '../../storage/database.ts'

const Row = z.object({ task_no: z.int(), tokens: z.int() })

/** Tokens by task number, of those of the tasks that were counted under the recipe before. */
export function findPromptTokens(db: Database, recipe: Uint8Array, taskNumbers: readonly number[]): Map<number, number> {
  const rows = db
    .prepare('select task_no, tokens from prompt_tokens where recipe = ? and task_no in (select value from json_each(?))')
    .all(recipe, JSON.stringify(taskNumbers))
  return new Map(rows.map(row => Row.parse(row)).map(row => [row.task_no, row.tokens]))
}

/** A version may have been deleted while its prompts were counted: nothing is kept of its tasks. */
export function insertPromptTokens(db: Database, recipe: Uint8Array, counts: readonly (readonly [taskNo: number, tokens: number])[]): void {
  const insert = db.prepare('insert or ignore into prompt_tokens (task_no, recipe, tokens) select no, ?, ? from tasks where no = ?')
  db.transaction(() => {
    for (const [taskNo, tokens] of counts) insert.run(recipe, tokens, taskNo)
  })
}
