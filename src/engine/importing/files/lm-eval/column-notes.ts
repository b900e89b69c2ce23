import { reprFloat } from '../../../grading/scorers/python/numbers.ts'
import { WholeFloat } from '../../templates/whole-float.ts'
import type { Row } from '../row.ts'
import { isWrittenAsFloat } from '../written-numbers.ts'
import type { TaskConfig } from './task-config.ts'

interface SeenColumn {
  /** First cell that is a whole number as text; null before one. */
  whole: string | null
  /** First cell of CSV that a number's text would not keep, such as `1.10`; null before one. */
  changed: string | null
  hasFraction: boolean
  hasGap: boolean
  hasText: boolean
}

/**
 * The data loaders of the harness decide by all rows of a column what its cells are; here each row is read by itself. These are the columns
 * that its prompts show otherwise.
 */
export class ColumnNotes {
  readonly #columns = new Map<string, SeenColumn>()
  /** Names in braces: of columns, and others. */
  readonly #shown: ReadonlySet<string>

  constructor({ doc_to_text, doc_to_target, doc_to_choice, description, gen_prefix }: TaskConfig) {
    const sources = [doc_to_text, doc_to_target, doc_to_choice, description, gen_prefix].flat().map(String)
    this.#shown = new Set([...sources, ...sources.flatMap(wordsInBraces)])
  }

  /** @param isTable whether it is a row of CSV, whose cells are texts */
  see({ value }: Row, isTable: boolean): void {
    for (const name of this.#shown) {
      if (!Object.hasOwn(value, name)) continue
      const cell = value[name]
      const seen = this.#columns.get(name) ?? { whole: null, changed: null, hasFraction: false, hasGap: false, hasText: false }
      this.#columns.set(name, seen)
      if (isTable) seeText(seen, typeof cell === 'string' ? cell.trim() : '')
      else if (typeof cell === 'number' && Number.isInteger(cell) && !isWrittenAsFloat(value, name)) seen.whole ??= String(cell)
      else if (cell instanceof WholeFloat || typeof cell === 'number') seen.hasFraction = true
      else if (cell !== null) seen.hasText = true
    }
  }

  notes(): string[] {
    return [...this.#columns].flatMap(([name, { whole, changed, hasFraction, hasGap, hasText }]) => {
      if (hasText) return []
      const cell = whole !== null && (hasFraction || hasGap) ? whole : changed
      if (cell === null) return []
      const shown = hasFraction || hasGap ? reprFloat(Number(cell)) : String(BigInt(cell))
      return [
        `The harness takes the column "${name.slice(0, 60)}" for numbers and shows "${cell}" as ${shown}; here it is as written. For the same prompts, write it so in the file.`,
      ]
    })
  }
}

/** What pandas reads as a missing value of a column of numbers, but for signs of its own. */
const gaps: ReadonlySet<string> = new Set([
  '',
  '#N/A',
  '#NA',
  '<NA>',
  'N/A',
  'NA',
  'NULL',
  'NaN',
  '-NaN',
  'None',
  'n/a',
  'nan',
  '-nan',
  'null',
])
/** No column of numbers has longer ones; to convert one takes time that grows with the square of its length. */
const mostDigits = 40

function wordsInBraces(template: string): string[] {
  const parts = template.split(/\{[{%]/).slice(1)
  return parts.flatMap(part => part.split(/[%}]\}/)[0]?.match(/\w+/g) ?? [])
}

function seeText(seen: SeenColumn, text: string): void {
  if (gaps.has(text)) seen.hasGap = true
  else if (text.length > mostDigits) seen.hasText = true
  else if (/^[-+]?\d+$/.test(text)) {
    seen.whole ??= text
    if (String(BigInt(text)) !== text) seen.changed ??= text
  } else if (/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/.test(text)) {
    seen.hasFraction = true
    if (reprFloat(Number(text)) !== text) seen.changed ??= text
  } else seen.hasText = true
}
