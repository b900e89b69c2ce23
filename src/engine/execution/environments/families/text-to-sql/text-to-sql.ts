import { z } from 'zod'
import type { Task } from '../../../../tasks/task.ts'
import type { Action, EnvironmentFamily, Simulation } from '../../environment.ts'
import { familyDefinition } from '../family.ts'
import { openShop, type ShopDatabase } from './database.ts'
import { generate, rowsOf } from './generate.ts'
import { Shop, schema } from './shop.ts'

const seed = 20261101
const version = `1.0.0-seed${seed}`
const maxTurns = 8
const Setup = z.object({ setup: z.object({ shop: Shop, ordered: z.boolean() }) })

const rules = [
  'You answer questions about the database of a shop (SQLite) by writing one query. With the tools you can look at its tables and try queries.',
  'Your answer is the query itself, as plain SQL. It is run, and its rows are compared with the right ones: their columns in the order asked for, and ' +
    'their order only where the question asks for one. Months are text such as 2026-03, prices whole numbers.',
  'A query only reads, names at most four tables counted with repetitions, and uses no functions beyond the common ones.',
].join('\n')

export const textToSql: EnvironmentFamily = {
  id: '01934f00-0000-7000-8000-000000000004',
  version,
  maxTurns,
  observationBytes: 8_000,
  definition: familyDefinition({
    slug: 'text-to-sql',
    title: 'Text to SQL',
    summary: 'Answer a question about a small shop’s database with one query, trying it out first.',
    description:
      'Whether a model turns a question into the right query over four tables, and uses what it sees when it tries. The goal is reached when the rows ' +
      'that its query gives are the right ones, however it is written; the order of rows counts only where the question asks for one.',
    howMade:
      'Ten kinds of question over six shops with rows drawn from a seed; the right rows are those of a reference query, run in the same SQLite. A ' +
      'question whose result would be empty is drawn again. The seed is part of the version.',
    knownLimits: [
      'Four tables of at most 36 rows with clear names; nothing like a grown schema.',
      'Ten kinds of question, worded in one way each, none with window functions or dates.',
      'A query that names the right rows by their values would pass.',
    ],
    capabilities: ['SQL', 'tool use'],
    rules,
    maxTurns,
    breakdowns: ['kind'],
  }),
  tools: [
    { name: 'list_tables', description: 'Shows every table with its columns.', parameters: [] },
    {
      name: 'run_query',
      description: 'Runs a query and shows its rows.',
      parameters: [{ name: 'sql', type: 'string', description: 'The query, at most 4,000 characters' }],
    },
  ],
  content: () => generate(version, seed),
  start: task => new SqlWorld(task),
  candidates: () => ({ sql: ['customers', 'products', 'orders', 'order_lines'].map(table => `select * from ${table}`) }),
}

class SqlWorld implements Simulation {
  readonly #db: ShopDatabase
  readonly #ordered: boolean
  readonly over = false

  constructor({ metadata }: Task) {
    const { shop, ordered } = Setup.parse(metadata).setup
    this.#db = openShop(shop)
    this.#ordered = ordered
  }

  act({ tool, arguments: given }: Action): string {
    if (tool === 'list_tables') return schema.join(';\n')
    const result = this.#db.query(String(given['sql']))
    if (!result.ok) return `Error: ${result.problem}`
    return [result.columns, ...result.rows].map(row => row.join(' | ')).join('\n')
  }

  state(answer: string | null) {
    return { rows: answer === null ? null : rowsOf(this.#db, unfenced(answer), this.#ordered) }
  }
}

/** The query in an answer, without its code fence, if any. */
function unfenced(answer: string): string {
  return (/```(?:sql)?[^\S\n]*\n([\s\S]*?)```/i.exec(answer)?.[1] ?? answer).trim()
}
