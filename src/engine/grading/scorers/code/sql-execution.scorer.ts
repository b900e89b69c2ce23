import { z } from 'zod'
import { splitReasoning } from '../../../../lib/split-reasoning.ts'
import { codeBlocks } from '../../extraction/code-blocks.ts'
import { command, type Reply } from '../../sandbox/converse.ts'
import { strictMessage } from '../../sandbox/load-message.ts'
import type { Room } from '../../sandbox/sandbox.ts'
import type { CodeScorer } from './code-scorer.ts'
import { seconds } from './run-tests.ts'
import { sqlRunner } from './sql-runner.ts'
import { type CodeOutcome, missingModule, scoreOf } from './verdict.ts'

/** For what the task brings: its databases, and the comparison of rows. */
const ownLimit = 60_000

/** The database of a task as SQL that makes its tables and fills them; several where the rows must agree in each, as in Spider's test suite. */
const SqlTask = z.object({ database: z.union([z.string(), z.array(z.string()).min(1)]) })

const timeLimit = z.number().min(1).max(120).default(30).describe('Seconds that each query may take.')

export const spiderExecution = sqlScorer(
  'spider',
  'Spider, execution accuracy',
  'Runs the SQL of a reply and the gold query (the target) in SQLite, in the sandbox, and compares their rows as Spider’s test suite does: in any order of the columns, in the order of the rows where the gold query has ORDER BY. The task’s database is SQL text in its metadata ("database").',
  z.strictObject({
    time_limit_s: timeLimit,
    keep_distinct: z.boolean().default(false).describe('False: DISTINCT is dropped from both queries, as Spider does.'),
  }),
)

export const birdExecution = sqlScorer(
  'bird',
  'BIRD, execution accuracy',
  'Runs the SQL of a reply and the gold query (the target) in SQLite, in the sandbox, and compares the sets of their rows as BIRD does: order and repetition of rows do not count, the order of the columns does. The task’s database is SQL text in its metadata ("database").',
  z.strictObject({ time_limit_s: timeLimit }),
)

function sqlScorer<Options extends { readonly time_limit_s: number; readonly keep_distinct?: boolean }>(
  rule: 'spider' | 'bird',
  title: string,
  description: string,
  options: z.ZodType<Options>,
): CodeScorer<Options> {
  return {
    id: `${rule}/execution`,
    version: 2,
    title,
    description,
    options,
    language: () => 'python',
    grade: async ({ output, targets, metadata }, { time_limit_s: limitS, keep_distinct: keepDistinct = true }, sandbox) => {
      const task = SqlTask.safeParse(metadata)
      const none = (detail: string) => scoreOf({ kind: 'no_verdict', detail }, output, null)
      if (!task.success) return none('The task has no database: its metadata need "database", SQL that makes and fills the tables.')
      if (targets.length === 0) return none('The task has no gold query: its target is the SQL that gives the right rows.')
      const query = queryOf(output)
      if (query === '') return scoreOf({ kind: 'failed', detail: 'The reply holds no SQL.' }, output, null)
      const outcome = await sandbox.use(async room => {
        let last: CodeOutcome | null = null
        for (const gold of targets) {
          last = await runPair(room, [rule, keepDistinct, [task.data.database].flat()], gold, query, limitS * 1000)
          if (last.kind !== 'failed') break
        }
        return last
      })
      return scoreOf(outcome ?? { kind: 'no_verdict', detail: 'The task has no gold query.' }, output, query)
    },
  }
}

/** The SQL of a reply: its last block of SQL, else the statement that begins a line, else all of it. Drafts in reasoning do not count. */
export function queryOf(reply: string): string {
  const text = splitReasoning(reply).output
  const blocks = codeBlocks(text).filter(({ language, code }) => /^(?:sql\w*|)$/.test(language) && code.trim() !== '')
  const block = blocks.at(-1)
  if (block) return block.code.trim()
  const start = /^[ \t]*(?:select\b|with[ \t]+(?:recursive[ \t]+)?[\w"`]+[ \t]*(?:\(|as\b))/im.exec(text)
  if (!start) return text.trim()
  const rest = text.slice(start.index)
  return rest.slice(0, /;[ \t]*$/m.exec(rest)?.index).trim()
}

/** Both queries in one process: what runs there is our program, and SQL can reach no more of it than its own copy of the database. */
async function runPair(
  room: Room,
  [rule, keepDistinct, databases]: readonly [string, boolean, readonly string[]],
  gold: string,
  query: string,
  limit: number,
): Promise<CodeOutcome> {
  const process = room.candidate()
  const call = (target: string, args: readonly unknown[], ms: number) => command(process, { op: 'call', target, args }, ms)
  const steps: readonly (readonly [string, () => Promise<Reply>])[] = [
    ['The program that runs SQL', () => command(process, strictMessage('load', sqlRunner, ''), ownLimit)],
    ['The task’s database', () => call('set_up', [rule, keepDistinct, { t: 'list', v: databases }], ownLimit)],
    ['The task’s gold query', () => call('ask_gold', [gold], limit)],
  ]
  for (const [what, step] of steps) {
    const reply = await step()
    if (reply.kind === 'raised' && reply.module !== undefined) return missingModule(reply.module)
    if (reply.kind !== 'value')
      return { kind: 'no_verdict', detail: `${what} cannot be used, so the answer was not graded: ${faultOf(reply, limit)}` }
  }
  const answered = await call('ask_answer', [query], limit)
  if (answered.kind === 'timeout') return { kind: 'timeout', detail: `The query ${faultOf(answered, limit)}` }
  if (answered.kind !== 'value') return { kind: 'failed', detail: `SQLite does not run the query: ${faultOf(answered, limit)}` }
  const compared = await call('compare', [], ownLimit)
  if (compared.kind === 'timeout') return { kind: 'too_slow', detail: `The rows could not be compared within ${seconds(ownLimit)}.` }
  const difference = compared.kind === 'value' ? Difference.safeParse(compared.value).data : undefined
  if (!difference) return { kind: 'no_verdict', detail: 'The rows of both queries could not be compared.' }
  return differenceOf(difference.v, databases.length)
}

const Difference = z.object({ t: z.literal('list'), v: z.array(z.int()) })

function differenceOf([database, rows = 0, columns = 0, goldRows = 0, goldColumns = 0]: readonly number[], count: number): CodeOutcome {
  if (database === undefined) return { kind: 'passed', detail: 'The query gives the rows of the gold query.' }
  const where = count > 1 ? `In database ${database} of ${count} the` : 'The'
  const shape = (all: number, wide: number) => (all === 0 ? 'no rows' : `${all} × ${wide}`)
  const [own, wanted] = [shape(rows, columns), shape(goldRows, goldColumns)]
  const detail =
    own === wanted
      ? `${where} query gives ${own} (rows × columns) as the gold query does, with other values or in another order.`
      : `${where} query gives ${own} where the gold query gives ${wanted} (rows × columns).`
  return { kind: 'failed', detail }
}

function faultOf(reply: Exclude<Reply, { kind: 'value' }>, limit: number): string {
  if (reply.kind === 'timeout') return `did not end within ${seconds(limit)}.`
  if (reply.kind === 'ended') return reply.detail
  return reply.type === 'MemoryError' ? 'it takes more memory than the sandbox has.' : `${reply.message}.`
}
