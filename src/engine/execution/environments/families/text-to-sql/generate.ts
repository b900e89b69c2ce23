import { drawFrom } from '../../../../tasks/draw.ts'
import type { BenchmarkContent } from '../../../../tasks/definition.ts'
import type { Task } from '../../../../tasks/task.ts'
import { openShop, type ShopDatabase } from './database.ts'
import { type Question, questions } from './questions.ts'
import { drawShop, type Shop } from './shop.ts'

const taskCount = 120
const shopCount = 6
const mostDraws = 5_000

/** @param seed 32-bit integer; part of the version, since another seed gives other shops and other questions */
export function generate(version: string, seed: number): BenchmarkContent {
  const draw = drawFrom(seed)
  const shops = Array.from({ length: shopCount }, () => {
    const shop = drawShop(draw)
    return { shop, db: openShop(shop), asked: new Set<string>() }
  })
  const tasks: Task[] = []
  for (let i = 0; tasks.length < taskCount; i++) {
    if (i > mostDraws) throw new Error(`Only ${tasks.length} questions in ${mostDraws} draws.`)
    const ask = questions[i % questions.length]
    const at = shops[tasks.length % shopCount]
    const question = ask?.(draw)
    if (!question || !at || at.asked.has(question.sql)) continue
    const rows = rowsOf(at.db, question.sql, question.ordered)
    // An empty result would be right for many a wrong query.
    if (rows === null || rows.length === 0) continue
    at.asked.add(question.sql)
    tasks.push(taskOf(at.shop, question, rows, tasks.length + 1))
  }
  return { version, tasks, shots: [] }
}

/** Result of a query as it is compared: in its order if required, sorted otherwise; null when it failed. */
export function rowsOf(db: ShopDatabase, sql: string, ordered: boolean): (string | number | null)[][] | null {
  const result = db.query(sql)
  if (!result.ok) return null
  const rows = result.rows.map(row => [...row])
  return ordered ? rows : rows.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

function taskOf(
  shop: Shop,
  { kind, text, sql, ordered }: Question,
  rows: readonly (readonly (string | number | null)[])[],
  number: number,
): Task {
  return {
    id: `sql-${String(number).padStart(3, '0')}`,
    split: 'test',
    fields: { instruction: text },
    targets: [sql],
    choices: null,
    metadata: {
      kind,
      setup: { shop, ordered },
      goal: { rows },
      reference_actions: [
        { tool: 'list_tables', arguments: {} },
        { tool: 'run_query', arguments: { sql } },
      ],
      reference_answer: sql,
    },
    capabilities: ['SQL', 'tool use'],
    dependsOn: [],
  }
}
