import { namesIn, topLevelStatements } from '../python/top-level.ts'
import type { LogicalLine } from '../python/tokens.ts'
import { extractPython } from './extract-code.ts'

interface Definition {
  readonly name: string
  readonly source: string
  /** Every name used in it. */
  readonly names: ReadonlySet<string>
}

/**
 * The code of a reply as evalplus runs it: of the longest run of lines that reads as Python the imports, then the classes, the
 * functions that return something and the assignments at top level, each name as first defined. With an entry point only what it
 * reaches is kept.
 */
export function sanitize(reply: string, entryPoint?: string): string {
  const lines = extractPython(reply).split('\n')
  const imports: string[] = []
  const definitions: Definition[] = []
  const names = new Set<string>()
  for (const statement of topLevelStatements(lines)) {
    const [head] = statement
    const source = lines.slice(head?.first, (statement.at(-1)?.last ?? 0) + 1).join('\n')
    const keyword = head?.tokens[0]?.text
    if (keyword === 'import' || keyword === 'from') imports.push(source)
    const name = definedName(statement)
    if (name === null || names.has(name)) continue
    names.add(name)
    definitions.push({ name, source, names: namesIn(statement) })
  }
  const kept = entryPoint === undefined ? definitions : reachable(definitions, entryPoint)
  return [...imports, ...kept.map(({ source }) => source)].join('\n')
}

/** The name that a class, a function with a `return` or an assignment defines; null for any other statement. */
function definedName(statement: readonly LogicalLine[]): string | null {
  const [first, second, third] = statement[0]?.tokens ?? []
  const isAsync = first?.text === 'async' && second?.text === 'def'
  if (first?.text === 'class') return second?.text ?? null
  if (first?.text === 'def' || isAsync) return namesIn(statement).has('return') ? ((isAsync ? third : second)?.text ?? null) : null
  return first?.kind === 'name' && (second?.text === '=' || second?.text === ':') ? first.text : null
}

/** What the entry point uses, directly or through others, in the order of the source. */
function reachable(definitions: readonly Definition[], entryPoint: string): readonly Definition[] {
  const reached = new Set([entryPoint])
  for (const name of reached) {
    const used = definitions.find(definition => definition.name === name)?.names ?? []
    for (const other of used) if (definitions.some(definition => definition.name === other)) reached.add(other)
  }
  return definitions.filter(({ name }) => reached.has(name))
}
