import { reprFloat } from '../../../grading/scorers/python/numbers.ts'
import { WholeFloat } from '../../templates/whole-float.ts'
import type { Row } from '../row.ts'
import { withPythonFloats } from '../written-numbers.ts'
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
  /** Names of columns, and what else stands in braces. */
  readonly #shown: ReadonlySet<string>

  constructor({ doc_to_text, doc_to_target, doc_to_choice, description, gen_prefix }: TaskConfig) {
    const sources = [doc_to_text, doc_to_target, doc_to_choice, description, gen_prefix].flat().map(String)
    this.#shown = new Set([...sources, ...sources.flatMap(wordsInBraces)])
  }

  /** @param isTable whether it is a row of CSV, whose cells are texts */
  see({ value }: Row, isTable: boolean): void {
    for (const [name, cell] of Object.entries(isTable ? value : withPythonFloats(value))) {
      const seen = this.#columns.get(name) ?? { whole: null, changed: null, hasFraction: false, hasGap: false, hasText: false }
      this.#columns.set(name, seen)
      if (isTable) seeText(seen, typeof cell === 'string' ? cell.trim() : '')
      else if (typeof cell === 'number' && Number.isInteger(cell)) seen.whole ??= String(cell)
      else if (cell instanceof WholeFloat || typeof cell === 'number') seen.hasFraction = true
      else if (cell !== null) seen.hasText = true
    }
  }

  notes(): string[] {
    return [...this.#columns].flatMap(([name, { whole, changed, hasFraction, hasGap, hasText }]) => {
      if (hasText || !this.#shown.has(name)) return []
      const cell = whole !== null && (hasFraction || hasGap) ? whole : changed
      if (cell === null) return []
      const shown = hasFraction || hasGap ? reprFloat(Number(cell)) : String(BigInt(cell))
      return [
        `The harness takes the column "${name.slice(0, 60)}" for numbers and shows "${cell.slice(0, 40)}" as ${shown}; here it is as written.`,
      ]
    })
  }
}

function wordsInBraces(template: string): string[] {
  const parts = template.split(/\{[{%]/).slice(1)
  return parts.flatMap(part => part.split(/[%}]\}/)[0]?.match(/\w+/g) ?? [])
}

function seeText(seen: SeenColumn, text: string): void {
  if (text === '') seen.hasGap = true
  else if (/^[-+]?\d+$/.test(text)) {
    seen.whole ??= text
    if (String(BigInt(text)) !== text) seen.changed ??= text
  } else if (/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/.test(text)) {
    seen.hasFraction = true
    if (reprFloat(Number(text)) !== text) seen.changed ??= text
  } else seen.hasText = true
}
