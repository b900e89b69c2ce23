import type { ImportLimits } from './limits.ts'
import { parseRowJson } from './parse-json.ts'
import { peekLines, readLines } from './read-lines.ts'
import { headBytes } from './detect-form.ts'
import { cellsOf, rowOfCells } from './written-numbers.ts'
import { problem, RowError, type RowOrProblem } from './row.ts'

/** JSON objects, one a line, or printed over several lines each. Lines of nothing but blanks are passed over. */
export async function* readJsonl(
  bytes: AsyncIterable<Uint8Array>,
  limits: ImportLimits,
  parse = parseRowJson,
): AsyncGenerator<RowOrProblem> {
  // An object that began with a line of nothing but its brace, up to the line of its other one.
  let open: { readonly line: number; readonly texts: string[]; length: number } | null = null
  const { whole } = await peekLines(bytes, headBytes)
  for await (const line of readLines(whole, limits)) {
    if ('problem' in line) {
      yield problem(line.number, line.problem)
      open = null
      continue
    }
    const { number, text } = line
    if (open) {
      open.texts.push(text)
      open.length += text.length
      if (open.length > limits.lineBytes) {
        yield problem(open.line, `The object is longer than ${limits.lineBytes} characters; perhaps it is not closed.`)
        return
      }
      // As printed, its closing brace begins a line.
      if (!/^\},?\s*$/.test(text)) continue
      yield parseRow(open.line, open.texts.join('\n'), parse)
      open = null
      continue
    }
    if (text.trim() === '{') open = { line: number, texts: [text], length: text.length }
    else if (text.trim() !== '') yield parseRow(number, text, parse)
  }
  if (open) yield problem(open.line, 'The object that begins here is not closed.')
}

const ownLine = 'Put what begins at $1 on a line of its own, or remove it.'

/** @param line where the text begins */
export function parseRow(line: number, text: string, parse = parseRowJson): RowOrProblem {
  try {
    const value = parse(text.replace(/,\s*$/, ''))
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { kind: 'row', line, value: rowOfCells(cellsOf(value)) }
    return problem(line, `An object is needed here but this is ${Array.isArray(value) ? 'a list' : JSON.stringify(value).slice(0, 40)}.`)
  } catch (error) {
    if (error instanceof RowError)
      return problem(line, describeNoObject(text) ?? error.message.replace(/^Remove what follows the value at ([^.]*)\..*/, ownLine))
    throw error
  }
}

/** What mends a text that begins like no JSON; null for any other. */
export function describeNoObject(text: string): string | null {
  if (/^\s*(?:\/[/*]|#)/.test(text)) return 'Remove the comment that begins here: JSON has none.'
  if (/^\s*[\p{L}\d][^:{}\n]*(?:\n|$)/u.test(text)) return 'Put an object in braces here, or choose the format "csv" for a table of text.'
  return null
}
