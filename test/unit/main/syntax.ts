import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'vite'

/** A source file and what the rules look at in it. */
export interface Source {
  /** From the project's folder, with forward slashes. */
  readonly path: string
  /** Every module named by an import, a re-export, a dynamic import, a require or a type import. */
  readonly modules: readonly string[]
  /** Every member access on a plain name: `ipcMain.handle`. */
  readonly members: readonly string[]
  /** Every string that is written out, template parts and page text too. */
  readonly texts: readonly string[]
  /** Properties given a literal truth value: `sandbox: false`. */
  readonly flags: readonly string[]
  /** Calls on a plain name or member whose first argument is a written-out string: `ipcRenderer.invoke("x")`; others end in `(?)`. */
  readonly calls: readonly string[]
  /** Names of its page elements. */
  readonly elements: readonly string[]
  /** Names of what those are given. */
  readonly attributes: readonly string[]
  /** What is made by `new`. */
  readonly created: readonly string[]
  readonly hasDefaultExport: boolean
  readonly awaitsAtTop: boolean
}

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** All sources in a folder of the project. */
export function sourcesIn(folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name))
    .map(file => readSource(relative(root, file).split(sep).join('/'), readFileSync(file, 'utf8')))
}

export function readSource(path: string, text: string): Source {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`)
  const found = {
    modules: [] as string[],
    members: [] as string[],
    texts: [] as string[],
    flags: [] as string[],
    calls: [] as string[],
    elements: [] as string[],
    attributes: [] as string[],
    created: [] as string[],
  }
  let functions = 0
  let awaitsAtTop = false
  let hasDefaultExport = false
  const enter = () => {
    functions += 1
  }
  const leave = () => {
    functions -= 1
  }
  const request = (node: { source?: unknown }) => found.modules.push(...written(node.source))
  new Visitor({
    ImportDeclaration: request,
    ExportAllDeclaration: request,
    ExportNamedDeclaration: request,
    ImportExpression: request,
    TSImportType: request,
    ExportDefaultDeclaration: () => {
      hasDefaultExport = true
    },
    MemberExpression: node => found.members.push(nameOf(node)),
    Literal: node => found.texts.push(...written(node)),
    TemplateElement: node => found.texts.push(node.value.raw),
    JSXText: node => found.texts.push(node.value),
    JSXAttribute: node => found.attributes.push(nameOf(node.name)),
    NewExpression: node => found.created.push(nameOf(node.callee)),
    JSXOpeningElement: node => found.elements.push(nameOf(node.name)),
    Property: node => {
      if (node.value.type === 'Literal' && typeof node.value.value === 'boolean')
        found.flags.push(`${nameOf(node.key)}: ${node.value.value}`)
    },
    CallExpression: node => {
      const [first] = node.arguments
      const [text] = written(first)
      const callee = nameOf(node.callee)
      found.calls.push(text === undefined ? `${callee}(?)` : `${callee}("${text}")`)
      if (callee === 'require' && text !== undefined) found.modules.push(text)
    },
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    AwaitExpression: () => {
      awaitsAtTop ||= functions === 0
    },
    ForOfStatement: node => {
      awaitsAtTop ||= functions === 0 && node.await
    },
  }).visit(program)
  return { path, ...found, hasDefaultExport, awaitsAtTop }
}

/** The string that a node writes out, if it does. */
function written(node: unknown): string[] {
  return typeof node === 'object' && node !== null && 'value' in node && typeof node.value === 'string' ? [node.value] : []
}

/** `a`, `a.b` or `?` where it is computed. */
function nameOf(node: unknown): string {
  if (typeof node !== 'object' || node === null) return '?'
  if ('name' in node && typeof node.name === 'string') return node.name
  if ('object' in node && 'property' in node) return `${nameOf(node.object)}.${nameOf(node.property)}`
  return '?'
}
