import { styleText } from 'node:util'
import { showHidden } from '../../lib/format/visible-text.ts'
import { complain, forStream, print, writeJson } from '../print.ts'

/** What a command says: results on standard output, everything else on standard error. */
export interface Output {
  readonly json: boolean
  /** A line of the result, for people. Silent with `--json`. */
  line(text: string): void
  /** The reply of the service as it came, and nothing else. Only with `--json`. */
  body(value: unknown): void
  /** A table for people. Silent with `--json`. */
  table(head: readonly string[], rows: readonly (readonly string[])[]): void
  /** What a reader should know beside the result. Silent with `--quiet`. */
  note(text: string): void
  /** Progress: replaces the line on a terminal, adds one elsewhere. Silent with `--quiet`. */
  progress(text: string): void
  /** Ends the line of progress. */
  endProgress(): void
  mark(verdict: 'pass' | 'fail' | 'unclear', text: string): string
}

const colors = { pass: 'green', fail: 'red', unclear: 'yellow' } as const
const widestCell = 60

export function createOutput({ json, quiet, color }: { json: boolean; quiet: boolean; color: boolean }): Output {
  let shown = ''
  const isTerminal = process.stderr.isTTY === true
  const line = (text: string) => {
    if (!json) print(text)
  }
  return {
    json,
    line,
    body: value => {
      if (json) writeJson(process.stdout, JSON.stringify(value, null, 2))
    },
    table: (head, rows) => {
      for (const text of tableLines([head, ...rows])) line(text)
    },
    note: text => {
      if (!quiet) complain(text)
    },
    progress: text => {
      if (quiet || text === shown) return
      shown = text
      if (isTerminal) process.stderr.write(`\r\u001b[2K${showHidden(text).slice(0, process.stderr.columns - 1)}`)
      else complain(text)
    },
    endProgress: () => {
      if (isTerminal && shown !== '') process.stderr.write('\r\u001b[2K')
      shown = ''
    },
    mark: (verdict, text) => (color && process.stdout.isTTY ? styleText(colors[verdict], text) : text),
  }
}

/** Columns as wide as their widest cell; long cells are cut. */
function tableLines(rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map(row => row.map(cell => cut(forStream(cell, process.stdout).replaceAll(/\s+/g, ' '))))
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map(row => row[column]?.length ?? 0)))
  return cells.map(row =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

function cut(text: string): string {
  return text.length > widestCell ? `${text.slice(0, widestCell - 1).toWellFormed()}…` : text
}
