import { logicalLines, type LogicalLine } from './tokens.ts'

/** Each statement at the left margin with the lines that belong to it. */
export function topLevelStatements(lines: readonly string[]): readonly LogicalLine[][] {
  const statements: LogicalLine[][] = []
  for (const line of logicalLines(lines, 0)) {
    if (line.indent === 0) statements.push([line])
    else statements.at(-1)?.push(line)
  }
  return statements
}

/** Every name in it, keywords too. */
export function namesIn(statement: readonly LogicalLine[]): ReadonlySet<string> {
  return new Set(statement.flatMap(({ tokens }) => tokens.filter(({ kind }) => kind === 'name').map(({ text }) => text)))
}

/** An import, function, class or assignment at the left margin, with its decorators. */
export interface Binding {
  readonly names: readonly string[]
  readonly source: string
}

export function topLevelBindings(code: string): readonly Binding[] {
  const lines = code.split('\n')
  const bindings: Binding[] = []
  let decoratedFrom: number | null = null
  for (const statement of topLevelStatements(lines)) {
    const [head] = statement
    if (!head) continue
    const from: number = decoratedFrom ?? head.first
    decoratedFrom = head.tokens[0]?.text === '@' ? from : null
    const names = boundBy(head)
    if (names.length > 0) bindings.push({ names, source: lines.slice(from, (statement.at(-1) ?? head).last + 1).join('\n') })
  }
  return bindings
}

function boundBy({ tokens }: LogicalLine): readonly string[] {
  const texts = tokens.map(({ text }) => text)
  const [first = '', second = '', third = ''] = texts
  if (first === 'def' || first === 'class') return [second]
  if (first === 'async') return second === 'def' ? [third] : []
  if (first === 'import' || first === 'from') return importedBy(texts)
  const last = texts.lastIndexOf('=')
  if (tokens[0]?.kind !== 'name' || last < 0) return []
  const targets = texts.slice(0, texts.includes(':') ? Math.min(last, texts.indexOf(':')) : last)
  return targets.every(text => /^[\w,=()*]+$/.test(text)) ? targets.filter(text => /^[^\W\d]\w*$/.test(text)) : []
}

function importedBy(texts: readonly string[]): readonly string[] {
  return texts
    .slice(texts.indexOf('import') + 1)
    .filter(text => text !== '(' && text !== ')')
    .join(' ')
    .split(' , ')
    .map(part => / as (\w+)$/.exec(part)?.[1] ?? part.split(' ')[0] ?? '')
    .filter(name => /^\w+$/.test(name))
}

/** Every name that the code binds anywhere: as a definition, parameter, target or import. */
export function namesBoundIn(code: string): ReadonlySet<string> {
  const bound = new Set<string>()
  for (const line of logicalLines(code.split('\n'), 0)) {
    for (const name of boundBy(line)) bound.add(name)
    let isTarget = false
    for (const [i, { kind, text }] of line.tokens.entries()) {
      const next = line.tokens[i + 1]?.text
      const before = line.tokens[i - 1]?.text
      if (text === 'for' || text === 'lambda') isTarget = true
      else if (text === 'in' || (text === ':' && isTarget)) isTarget = false
      else if (kind === 'name' && (isTarget || next === '=' || next === ':=' || before === 'as')) bound.add(text)
    }
    if (line.tokens.some(({ text }) => text === 'def')) for (const name of parametersOf(line)) bound.add(name)
  }
  return bound
}

function parametersOf({ tokens }: LogicalLine): readonly string[] {
  return tokens.flatMap(({ kind, text }, i) => (kind === 'name' && /^(?:[(,]|\*\*?)$/.test(tokens[i - 1]?.text ?? '') ? [text] : []))
}
