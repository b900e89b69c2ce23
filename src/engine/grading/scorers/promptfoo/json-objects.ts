import { parseDocument } from 'yaml'
import { parseJson } from '../text/json-text.ts'

/** Characters of one object, as promptfoo looks for it. */
const longest = 100_000
/** Characters read as YAML for an output: more is malformed on purpose. */
const mostRead = 400_000

/**
 * The objects in an output, as promptfoo's `contains-json` finds them: from a `{` to the `}` that balances it, wherever it stands, read
 * as YAML, of which JSON is a part. One that the output breaks off is completed.
 */
export function* jsonObjects(text: string): Generator<unknown> {
  const partners = partnersIn(text)
  let left = mostRead
  for (let at = text.indexOf('{'); at !== -1 && at < text.length - 1; at = text.indexOf('{', at)) {
    const partner = partners.get(at) ?? Infinity
    const end = Math.min(partner + 1, at + longest, text.length)
    const cut = text.slice(at, end)
    left -= cut.length
    const value = left < 0 ? undefined : objectIn(partner < end ? cut : cut + '}'.repeat(openIn(cut)))
    if (left < 0) return
    if (value !== undefined) yield value
    at = value === undefined ? at + 1 : end
  }
}

/** Where each `{` is balanced. */
function partnersIn(text: string): ReadonlyMap<number, number> {
  const open: number[] = []
  const partners = new Map<number, number>()
  for (const { 0: brace, index } of text.matchAll(/[{}]/g)) {
    if (brace === '{') open.push(index)
    else {
      const start = open.pop()
      if (start !== undefined) partners.set(start, index)
    }
  }
  return partners
}

function openIn(text: string): number {
  let open = 0
  for (const { 0: brace } of text.matchAll(/[{}]/g)) open += brace === '{' ? 1 : -1
  return Math.max(0, open)
}

function objectIn(text: string): object | undefined {
  const json = parseJson(text)
  if (typeof json === 'object' && json !== null) return json
  try {
    const document = parseDocument(withoutSlashes(text), { uniqueKeys: false, logLevel: 'silent' })
    const value: unknown = document.errors.length > 0 ? null : document.toJS({ maxAliasCount: 0 })
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** Comments after `//` as comments of YAML. */
function withoutSlashes(text: string): string {
  return text
    .split('\n')
    .map(line => {
      const comment = [...line.matchAll(/"(?:[^"\\]|\\.)*"?|'[^']*'|\/\//g)].find(([part]) => part === '//')
      return comment ? `${line.slice(0, comment.index)}#${line.slice(comment.index + 2)}` : line
    })
    .join('\n')
}
