import { parseDocument } from 'yaml'
import { jsonIn } from '../../../../lib/json-value.ts'

/** Characters of one object, as promptfoo looks for it. */
const longest = 100_000
/** Characters read as YAML for an output: more is malformed on purpose. */
const mostRead = 400_000
/** Brackets within brackets that are read as YAML: more is malformed on purpose, and takes its reader seconds. */
const deepest = 1_000

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
    if (left < 0) return
    const { open, most } = levelsIn(cut)
    const value = objectIn(partner < end ? cut : cut + '}'.repeat(open), most)
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

/** How many braces are open at the end, and how many brackets of any kind at most. */
function levelsIn(text: string): { readonly open: number; readonly most: number } {
  let open = 0
  let lists = 0
  let most = 0
  for (const { 0: bracket } of text.matchAll(/[{}[\]]/g)) {
    if (bracket === '{' || bracket === '}') open += bracket === '{' ? 1 : -1
    else lists += bracket === '[' ? 1 : -1
    most = Math.max(most, open + lists)
  }
  return { open: Math.max(0, open), most }
}

function objectIn(text: string, levels: number): object | undefined {
  const json = jsonIn(text)
  if (typeof json === 'object' && json !== null) return json
  if (levels > deepest) return undefined
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
