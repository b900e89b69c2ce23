import { type AnswerKey, KeySurvey, undecidedKey } from './answer-key.ts'
import { readChoices } from './choice-list.ts'
import { type Columns, keyOf, readMappedTask, settleColumns, type WantedColumns } from './column-mapping.ts'
import type { ImportSource, RowFormat, TaskContent } from './import-source.ts'
import type { ImportLimits } from './limits.ts'
import { sourceRows } from './read-items.ts'
import { type Row, RowError } from './row.ts'

/** What only all rows of a table together tell, found before any of them becomes a task. */
export interface Survey {
  /** Null where they could not be settled. */
  readonly columns: Columns | null
  /** Null where the tasks have no choices. */
  readonly answerKey: AnswerKey | null
  readonly warnings: readonly string[]
  /** Why nothing can be imported yet; null otherwise. */
  readonly fault: string | null
}

export interface MappedTable {
  readonly content: TaskContent
  survey(source: ImportSource, limits: ImportLimits): Promise<Survey>
}

/** Tasks from a file of the user's own, by its columns. The first row settles the columns, all rows the form of the answer keys. */
export function mappedTable(format: RowFormat, wanted: WantedColumns): MappedTable {
  let columns: Columns | null = null
  let answerKey: AnswerKey | null = null
  const columnsOf = (row: Row): Columns => {
    if (row.position === 1 || !columns) columns = settleColumns(Object.keys(row.value), wanted)
    return columns
  }
  return {
    content: {
      format,
      holds: 'tasks',
      read: row => readMappedTask(row, columnsOf(row), answerKey?.form ?? null),
    },
    survey: async (source, limits) => {
      const keys = new KeySurvey()
      const prose = new ChoicesInProse()
      for await (const read of sourceRows(source, limits)) {
        if (read.kind === 'problem') continue
        const { row } = read
        try {
          const settled = columnsOf(row)
          if (settled.choices !== null) keys.add(row.line, keyOf(row, settled), readChoices(row, settled.choices))
          else if (!prose.add(row, settled)) break
        } catch (error) {
          // The row is refused with its line when it is read as a task.
          if (!(error instanceof RowError)) throw error
        }
      }
      answerKey = keys.decide(wanted.answer_key)
      return { columns, answerKey, warnings: prose.warnings(), fault: answerKey && undecidedKey(answerKey) }
    },
  }
}

const looked = 200

/** Detects questions with their choices in the text, which are therefore read as open questions. */
class ChoicesInProse {
  private rows = 0
  private likely = 0

  /** False when enough was seen. */
  add(row: Row, { input, target }: Columns): boolean {
    this.rows++
    const text = row.value[input]
    const key = target === null ? null : row.value[target]
    const isKey = typeof key === 'number' ? Number.isInteger(key) && key >= 0 && key < 10 : /^\s*\(?[A-Ja-j0-9][).]?\s*$/.test(String(key))
    if (typeof text === 'string' && isKey && /(?:^|\s)\(?A[).:]\s*\S[^]*\s\(?B[).:]\s*\S/.test(text.slice(0, 20_000))) this.likely++
    return this.rows < looked
  }

  warnings(): string[] {
    if (this.likely === 0 || this.likely * 2 < this.rows) return []
    return [
      'The questions look like multiple choice, with the choices inside their text and a letter or number as answer. They are imported as open questions: ' +
        'answers are compared as text and guessing is not accounted for. For multiple choice, put the choices in a column of their own and name it "choices" in "mapping".',
    ]
  }
}
