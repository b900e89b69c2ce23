import { parseSync, Visitor } from 'oxc-parser'

export interface Import {
  readonly file: string
  readonly target: string
  /** Nothing of it is left at runtime. */
  readonly typeOnly: boolean
}

/** A statement on a table that a module holds, as text or as a query that is built. */
export interface TableUse {
  readonly table: string
  readonly writes: boolean
}

export interface SqlUse {
  readonly tables: readonly TableUse[]
  /** Whether it builds or prepares statements of a database. */
  readonly isUsed: boolean
}

/** What a module imports without a name, for its effect alone. @throws Error when it cannot be parsed */
export function importsOfNothing(file: string, text: string): string[] {
  const { staticImports } = parse(file, text).module
  return staticImports.filter(({ entries }) => entries.length === 0).map(({ moduleRequest }) => moduleRequest.value)
}

/** What a module imports or hands on, read with a parser, so that no comment passes for code. @throws Error when it cannot be parsed */
export function importsIn(file: string, text: string): Import[] {
  const { module, program } = parse(file, text)
  const later = module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
    const target = /^['"](.+)['"]$/.exec(text.slice(start, end))?.[1]
    return target === undefined ? [] : [{ file, target, typeOnly: false }]
  })
  if (text.includes('require('))
    new Visitor({
      CallExpression({ callee, arguments: [first] }) {
        if (callee.type === 'Identifier' && callee.name === 'require' && first?.type === 'Literal' && typeof first.value === 'string')
          later.push({ file, target: first.value, typeOnly: false })
      },
    }).visit(program)
  return [...importsAtOnce(file, text), ...later]
}

/** The same without what is imported later, by `import()` or `require`. */
export function importsAtOnce(file: string, text: string): Import[] {
  const { module } = parse(file, text)
  const imported = module.staticImports.map(({ moduleRequest, entries }) => ({
    file,
    target: moduleRequest.value,
    typeOnly: entries.length > 0 && entries.every(entry => entry.isType),
  }))
  const exported = module.staticExports.flatMap(({ entries }) =>
    [...Map.groupBy(entries, entry => entry.moduleRequest?.value)].flatMap(([target, handedOn]) =>
      target === undefined ? [] : [{ file, target, typeOnly: handedOn.every(entry => entry.isType) }],
    ),
  )
  return [...imported, ...exported]
}

const reads = ['selectFrom', 'innerJoin', 'leftJoin', 'rightJoin', 'fullJoin', 'crossJoin']
const writes = ['insertInto', 'replaceInto', 'mergeInto', 'updateTable', 'deleteFrom']
/** A table in a statement, quoted or of a schema. */
const name = String.raw`(?:main\.)?["'[\x60]?(\w+)`
const writing = new RegExp(
  String.raw`\b(?:(?:insert\s+(?:or\s+\w+\s+)?|replace\s+)into|update(?:\s+or\s+\w+)?|delete\s+from)\s+${name}`,
  'gi',
)
const reading = new RegExp(String.raw`(?<!\bdelete\s+)\b(?:from|join)\s+${name}((?:["'\]\x60]?(?:\s+\w+){0,2}\s*,\s*\w+)*)`, 'gi')

const read = new Map<string, SqlUse>()

/** The tables that statements in a module name. Each module is parsed once, however often it is asked for. */
export function sqlIn(file: string, text: string): SqlUse {
  const found = read.get(text) ?? readSql(file, text)
  read.set(text, found)
  return found
}

function readSql(file: string, text: string): SqlUse {
  const tables: TableUse[] = []
  let isUsed = false
  const readText = (sql: string) => {
    for (const [, table = ''] of sql.matchAll(writing)) tables.push({ table, writes: true })
    for (const [, table = '', others = ''] of sql.matchAll(reading))
      for (const each of [table, ...(/\bselect\b/i.test(sql) ? Array.from(others.matchAll(/,\s*(\w+)/g), match => match[1] ?? '') : [])])
        tables.push({ table: each, writes: false })
  }
  new Visitor({
    Literal({ value }) {
      if (typeof value === 'string') readText(value)
    },
    TemplateElement({ value }) {
      readText(value.raw)
    },
    MemberExpression({ object, property }) {
      const owner = object.type === 'MemberExpression' ? object.property : object
      const isDatabase = owner.type === 'Identifier' && owner.name === 'db'
      if (isDatabase && property.type === 'Identifier' && /^(?:sql|prepare|pragma)$/.test(property.name)) isUsed = true
    },
    CallExpression({ callee, arguments: [first] }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      const isWrite = writes.includes(callee.property.name)
      if (!isWrite && !reads.includes(callee.property.name)) return
      for (const part of first?.type === 'ArrayExpression' ? first.elements : [first])
        if (part?.type === 'Literal' && typeof part.value === 'string')
          tables.push({ table: part.value.split(' ')[0] ?? '', writes: isWrite })
    },
  }).visit(parse(file, text).program)
  return { tables, isUsed }
}

function parse(file: string, text: string) {
  const parsed = parseSync(file, text)
  const [error] = parsed.errors
  if (error) throw new Error(`${file} cannot be parsed: ${error.message}`)
  return parsed
}

/** Lines of functions that make a schema and parse with it at once: making one costs a thousand times what parsing does. */
export function schemasMadeToParse(file: string, text: string): string[] {
  const found: string[] = []
  let depth = 0
  const enter = () => {
    depth++
  }
  const leave = () => {
    depth--
  }
  new Visitor({
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    CallExpression: ({ callee, start, end }) => {
      const source = text.slice(start, end)
      const isParse =
        callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && /^(?:safeP|p)arse$/.test(callee.property.name)
      if (depth > 0 && isParse && /^z\b/.test(source)) found.push(`${file}:${text.slice(0, start).split('\n').length}`)
    },
  }).visit(parse(file, text).program)
  return found
}
