import { anyKey } from './import-source.ts'
import type { ImportLimits } from './limits.ts'
import { ListCutter } from './list-cutter.ts'
import { parseJson } from './parse-json.ts'
import { describeNoObject, parseRow } from './read-jsonl.ts'
import { readText } from './read-text.ts'
import { rowsOfLayout } from './json-layouts.ts'
import { problem, RowError, type RowOrProblem } from './row.ts'

const lineFeed = '\n'
/** Of a table that must be read whole. */
const mostLayoutCharacters = 256 * 1024 * 1024

/**
 * The objects of a JSON list. Items are cut apart and parsed one by one, so that the list need not fit into memory and a bad item does
 * not spoil the others.
 * @param key the list is the value of this key of a top-level object; without it the list is the top level
 * @param leave receives the other keys of the object that has the list
 */
export async function* readJsonList(
  bytes: AsyncIterable<Uint8Array>,
  limits: ImportLimits,
  key?: string | typeof anyKey,
  leave?: (list: string, others: readonly string[]) => void,
): AsyncGenerator<RowOrProblem> {
  const cutter = new ListCutter(key)
  let line = 1
  let item = ''
  let itemLine = 1
  let found = 0
  // Kept until a list begins: the text may be a table in another layout.
  let before = ''
  for await (const text of readText(bytes)) {
    if (key === anyKey && text !== null && !cutter.hasBegun && before.length <= mostLayoutCharacters) before += text
    if (text === null) {
      yield problem(line, 'The text from here on is not UTF-8. Save the file as UTF-8 and import it again.')
      return
    }
    let from = 0
    for (let i = 0; i < text.length; i++) {
      const char = text.charAt(i)
      const cut = cutter.step(char)
      if (cut === 'outside') from = i + 1
      else if (cut === 'inside') {
        if (item === '' && from === i) {
          // Blanks before an item are not part of it.
          if (isBlank(char)) from = i + 1
          else itemLine = line
        }
      } else {
        item = (item + text.slice(from, i)).trimEnd()
        from = i + 1
        // Python's writers and people leave a comma behind the last item.
        if (item !== '' || cut === 'item ends') yield readItem(++found, item === '' ? line : itemLine, item)
        item = ''
      }
      if (char === lineFeed) line++
    }
    item += text.slice(from)
    if (item.length <= limits.lineBytes) continue
    yield problem(itemLine, `Item ${found + 1} is longer than ${limits.lineBytes} characters.`)
    return
  }
  if (cutter.hasEnded) {
    const { beyond, beside } = cutter
    if (beyond !== null) yield problem(line, describeBeyond(beyond.list))
    else if (beside !== null && beside.others.length > 0) leave?.(beside.list, beside.others)
    return
  }
  if (cutter.hasBegun) yield problem(line, 'The list is not closed: a "]" is missing at the end of the file.')
  else {
    const rows = key === anyKey && before.length <= mostLayoutCharacters ? rowsOfLayout(before) : null
    if (rows === null) yield problem(null, describeMissing(key, before))
    else yield* rows
  }
}

function describeBeyond(list: string | null): string {
  return list === null
    ? 'Behind the list there is more that was not read. Put all rows into one list.'
    : `The file holds another list of objects, "${list}", that was not read. Keep one list in a file.`
}

/** @param text of a file that may have any key */
function describeMissing(key: string | typeof anyKey | undefined, text: string): string {
  if (key === undefined) return 'The file must hold a JSON list of objects.'
  return key === anyKey
    ? ((text.trim() === '' ? 'The file is empty: a list of objects is needed.' : faultOf(text)) ??
        'The file must hold a JSON list of objects, or a JSON object with such a list, such as {"examples": [{…}]}.')
    : `The file must hold a JSON object with a list "${key}".`
}

/** Why a text cannot be read as JSON; null where it can. */
function faultOf(text: string): string | null {
  try {
    parseJson(text)
    return null
  } catch (error) {
    if (error instanceof RowError) return describeNoObject(text) ?? error.message
    throw error
  }
}

function isBlank(char: string): boolean {
  return char === ' ' || char === lineFeed || char === '\r' || char === '\t'
}

function readItem(number: number, line: number, text: string): RowOrProblem {
  const row = text === '' ? problem(line, 'There is no value between two commas.') : parseRow(line, text)
  return row.kind === 'problem' ? problem(row.line, `Item ${number}: ${row.message}`) : row
}
