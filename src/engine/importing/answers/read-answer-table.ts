import { z } from 'zod'
import type { AnswerFormat } from '../../../contract/answers/answers.schemas.ts'
import type { Task } from '../../tasks/task.ts'
import { sourceOf } from '../files/import-order.ts'
import { anyJson, type RowFormat } from '../files/import-source.ts'
import { importLimits } from '../files/limits.ts'
import { sourceRows } from '../files/read-items.ts'
import { type Row, RowError } from '../files/row.ts'
import { type AnswerColumns, listIn, type ListsAre, readAnswers, settleAnswerColumns } from './answer-columns.ts'
import { flatBatchRow } from './batch-row.ts'
import type { ReferringAnswer } from './given-answer.ts'
import type { AnswerOrder } from './open-answers.ts'

interface AnswerTable {
  readonly answers: readonly ReferringAnswer[]
  readonly rows: number
  readonly columns: readonly string[]
  readonly mapping: AnswerColumns | null
  readonly problems: readonly { readonly file: string; readonly line: number | null; readonly message: string }[]
  readonly warnings: readonly string[]
}

/** Columns that are looked at. */
const mostColumns = 200
/** Outputs of one model and benchmark can be more than a service should hold; this many characters are taken. */
const mostCharacters = 400_000_000

/** All outputs of tables, in the order of files and lines. */
export async function readAnswerTable(order: AnswerOrder, tasks: readonly Task[]): Promise<AnswerTable> {
  const read = await readRows(order, tasks, 'epochs')
  // A program that printed a list answered once where the others printed one value; and so did one that listed objects, such as calls of tools.
  return read.lists > 0 && (read.singles > read.lists || read.epochs === 0) ? readRows(order, tasks, 'one output') : read
}

async function readRows(
  { files, format, mapping, shownScores }: AnswerOrder,
  tasks: readonly Task[],
  listsAre: ListsAre,
): Promise<AnswerTable & { readonly lists: number; readonly epochs: number; readonly singles: number }> {
  let lists = 0
  let epochs = 0
  let singles = 0
  let calls = 0
  const answers: ReferringAnswer[] = []
  const problems: { file: string; line: number | null; message: string }[] = []
  const columns = new Set<string>()
  const beside = new Set<string>()
  let settled: AnswerColumns | null = null
  let rows = 0
  let characters = 0
  const prepared = format === 'evalplus_samples' ? evalplusReader(tasks) : flatBatchRow
  for (const file of files) {
    const source = sourceOf(
      { ...file, role: 'outputs' },
      { format: formatOf(format, warning => beside.add(warning)), holds: 'tasks', read: refuseTasks },
    )
    for await (const read of sourceRows(source, importLimits)) {
      if (read.kind === 'skipped') {
        beside.add(`Left out: "${file.name}", line ${read.line}: ${read.message}`)
        continue
      }
      if (read.kind === 'problem') {
        problems.push({ file: file.name, line: read.line, message: read.message })
        continue
      }
      rows++
      try {
        const row = prepared(read.row)
        if (row.position === 1) columns.clear()
        const before = columns.size
        for (const name of Object.keys(row.value)) if (columns.size < mostColumns) columns.add(name)
        // Rows of JSON may lack what is empty, so that a later one can be the first to have a column.
        if (settled === null || columns.size > before) settled = settleAnswerColumns([...columns], mapping, shownScores)
        const value = row.value[settled.output ?? '']
        const list = listIn(row, settled)
        if (list === 'scalars' || list === 'objects') lists++
        if (list === 'calls') calls++
        if (list === 'scalars' || list === 'epochs') epochs++
        else if (list !== 'objects' && value !== undefined && value !== null && value !== '') singles++
        for (const answer of readAnswers(row, settled, listsAre)) {
          characters += answer.output?.length ?? 0
          answers.push(answer)
        }
      } catch (error) {
        if (!(error instanceof RowError)) throw error
        problems.push({ file: file.name, line: read.row.line, message: error.message })
        if (settled === null) break
      }
      if (characters > mostCharacters) {
        problems.push({
          file: file.name,
          line: read.row.line,
          message: `An import takes outputs of up to ${mostCharacters} characters in all; the rest was not read.`,
        })
        break
      }
    }
  }
  const others = singles === 0 ? 'of objects' : 'where the others are single values'
  const ofLists =
    listsAre === 'epochs' || lists === 0
      ? []
      : [`${lists} of ${lists + singles} outputs ${lists === 1 ? 'is a list' : 'are lists'} ${others}; each list was taken as one output.`]
  const ofCalls =
    calls === 0
      ? []
      : [
          `${calls === 1 ? 'One output is a list' : `${calls} outputs are lists`} of calls of tools with a score for each call; each list was taken as one output, without these scores.`,
        ]
  const warnings = [...beside, ...ofLists, ...ofCalls]
  return { answers, rows, columns: [...columns], mapping: settled, problems, warnings, lists, epochs, singles }
}

function formatOf(format: AnswerFormat, said: (warning: string) => void): RowFormat {
  return format === 'json' ? anyJson(said) : format === 'csv' || format === 'parquet' ? { kind: format } : { kind: 'jsonl' }
}

function refuseTasks(): never {
  throw new Error('Outputs are not tasks.')
}

const EvalplusRow = z.looseObject({ task_id: z.string(), solution: z.string().optional(), completion: z.string().optional() })

/** `solution` is a whole program and wins over `completion`, which continues the prompt of its task. */
function evalplusReader(tasks: readonly Task[]): (row: Row) => Row {
  const prompts = new Map(tasks.map(task => [task.id, task.fields['prompt'] ?? '']))
  return row => {
    const parsed = EvalplusRow.safeParse(row.value)
    if (!parsed.success) throw new RowError('A sample of EvalPlus has a "task_id" and a "solution" or a "completion".')
    const { task_id, solution, completion } = parsed.data
    if (solution === undefined && completion === undefined) throw new RowError('The sample has neither "solution" nor "completion".')
    return { ...row, value: { task_id, output: fenced(solution ?? `${prompts.get(task_id) ?? ''}${completion}`) } }
  }
}

/** As a model answers in a chat. */
function fenced(program: string): string {
  return `\`\`\`python\n${program}\n\`\`\``
}
