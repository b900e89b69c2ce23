import { statSync, readFileSync } from 'node:fs'
import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument, type ScalarTag, visit } from 'yaml'
import { formatCount } from '../../../lib/format/numbers.ts'
import { mendYaml, YamlLimit } from './mend-yaml.ts'
import type { OrderedFile } from './import-order.ts'
import { orderFault } from './order-fault.ts'

const mostBytes = 4 * 1024 * 1024
/** Characters of a file with everything written out that it repeats by reference. */
const mostExpanded = 64 * 1024 * 1024
/** Keys that `<<` may copy in one file: fewer references than that make a file of gigabytes. */
const mostMerged = 100_000

/** A file of settings in YAML, with the lines of its keys. */
export interface YamlFile {
  readonly name: string
  readonly value: unknown
  /** The line of a top-level key; null where it is not one. */
  lineOf(key: string): number | null
  /** On which each item of a list begins: of the list at a key of the top level, or of the file itself. */
  linesIn(key: string | null): number[]
  /** Values with a tag of their own, such as `!function`. */
  readonly tagged: readonly {
    /** The key that it is the value of, and the key of the top level that this is within. */
    readonly path: string
    readonly within: string
    readonly tag: string
    readonly text: string
    readonly line: number
  }[]
}

/**
 * @param isLenient whether to read what PyYAML reads: of a repeated key the last, and quoted texts whose next line is not indented
 * @throws OrderFault when it is not sound YAML of at most 4 MB
 */
export function readYaml({ name, path, content }: OrderedFile, isLenient = false): YamlFile {
  if ((content?.bytes.length ?? statSync(path).size) > mostBytes)
    throw orderFault(name, null, `A file of settings may have at most ${mostBytes / 1024 / 1024} MB.`)
  const lines = new LineCounter()
  const text = decode(name, content?.bytes ?? readFileSync(path))
  const document = parsed(name, isLenient ? indentQuoted(text) : text, lines, !isLenient)
  const [error] = document.errors
  if (error) throw orderFault(name, error.linePos?.[0].line ?? null, mendYaml(error, 'column'))
  return {
    name,
    value: plainOf(name, document),
    lineOf: key => {
      const pair = isMap(document.contents) ? document.contents.items.find(item => isScalar(item.key) && item.key.value === key) : undefined
      return pair && isScalar(pair.key) && pair.key.range ? lines.linePos(pair.key.range[0]).line : null
    },
    linesIn: key => {
      const list = key === null ? document.contents : isMap(document.contents) ? document.contents.get(key, true) : null
      return isSeq(list) ? list.items.map(item => (isNode(item) && item.range ? lines.linePos(item.range[0]).line : 1)) : []
    },
    tagged: taggedIn(document, lines),
  }
}

function decode(name: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw orderFault(name, null, 'The file is not UTF-8. Save it as UTF-8 and import it again.')
  }
}

/** Continuation lines of a quoted value, indented beyond its key: leading blanks are ignored. */
function indentQuoted(text: string): string {
  let open: { readonly quote: string; readonly blanks: string } | null = null
  return text
    .split('\n')
    .map(line => {
      if (open) {
        const { quote, blanks } = open
        if (closes(line, quote)) open = null
        return line.trim() === '' ? line : blanks + line.trimStart()
      }
      const [, before = '', quote] = /^(\s*(?:-\s+)*(?:[\w.-]+:\s+|(?<=-\s+)))(["'])/.exec(line) ?? []
      if (quote !== undefined && !closes(line.slice(before.length + 1), quote))
        open = { quote, blanks: ' '.repeat(before.length - before.replace(/^[\s-]*/, '').length + 1) }
      return line
    })
    .join('\n')
}

/** Whether a line that is within quotes has their end. */
function closes(line: string, quote: string): boolean {
  return quote === '"' ? /^(?:[^"\\]|\\.)*"/.test(line) : line.replaceAll("''", '').includes("'")
}

/** `1_000` is 1000, `685_230.15` is 685230.15 and `0b11` is 3, as js-yaml and PyYAML read them. */
const otherNumber: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  test: /^[-+]?(?:0b[01_]+|0x[\da-fA-F_]+|\d[\d_]*(?:\.[\d_]*)?(?:[eE][-+]?\d+)?)(?<!_)$/,
  // A sign before another base is not read.
  resolve: text => Number(text.replaceAll(/^[-+]|_/g, '')) * (text.startsWith('-') ? -1 : 1),
}

function parsed(name: string, text: string, lineCounter: LineCounter, uniqueKeys: boolean): Document.Parsed {
  try {
    return parseDocument(text, {
      lineCounter,
      uniqueKeys,
      version: '1.2',
      merge: false,
      customTags: tags => [...tags, otherNumber],
      prettyErrors: true,
      logLevel: 'error',
    })
  } catch (error) {
    throw orderFault(name, null, mendYaml(error, 'column'))
  }
}

function plainOf(name: string, document: Document.Parsed): unknown {
  try {
    return withoutLoops(merged(document.toJS({ maxAliasCount: -1 })))
  } catch (error) {
    throw orderFault(name, null, mendYaml(error, 'column'))
  }
}

/** @throws Error where a value holds itself, which only YAML can say, or repeats so much that nothing could hold it written out */
function withoutLoops(root: unknown): unknown {
  const open = new Set<unknown>()
  const sizes = new Map<unknown, number>()
  const sizeOf = (value: unknown): number => {
    if (typeof value === 'string') return value.length
    if (typeof value !== 'object' || value === null) return 1
    const known = sizes.get(value)
    if (known !== undefined) return known
    if (open.has(value)) throw new YamlLimit('Remove the "*" that repeats a value within itself.')
    open.add(value)
    let size = 1
    for (const [key, item] of Object.entries(value)) size += key.length + sizeOf(item)
    open.delete(value)
    sizes.set(value, size)
    if (size > mostExpanded)
      throw new YamlLimit(`Repeat less by "*": written out, the file has more than ${formatCount(mostExpanded)} characters.`)
    return size
  }
  sizeOf(root)
  return root
}

/**
 * Applies `<<: *base`. Not left to the parser, which would re-read a base at every reference, in unbounded time; here each
 * is read once, since references to one object stay one object.
 */
function merged(root: unknown): unknown {
  const done = new Map<object, unknown>()
  let copied = 0
  const read = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const known = done.get(value)
    if (known !== undefined) return known
    if (Array.isArray(value)) {
      const list: unknown[] = []
      done.set(value, list)
      for (const item of value) list.push(read(item))
      return list
    }
    const result: Record<string, unknown> = {}
    done.set(value, result)
    const { '<<': bases, ...own } = { ...value } as Readonly<Record<string, unknown>>
    // The map's own keys win, then the first of several bases.
    for (const base of (Array.isArray(bases) ? bases : bases === undefined ? [] : [bases]).toReversed()) {
      const from = read(base)
      if (typeof from !== 'object' || from === null || Array.isArray(from))
        throw new YamlLimit('Let "<<" name a mapping, or a list of mappings.')
      for (const [key, inner] of Object.entries(from)) {
        if (++copied > mostMerged)
          throw new YamlLimit(`Write keys out instead of copying them by "<<": at most ${formatCount(mostMerged)} are copied.`)
        put(result, key, inner)
      }
    }
    for (const [key, inner] of Object.entries(own)) put(result, key, read(inner))
    return result
  }
  return read(root)
}

/** As data also where the key is `__proto__`. */
function put(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
}

/** Every tag but those of YAML's own kinds of values; `!!python/…` is one, too. */
const ownTag = /^!|^tag:(?!yaml\.org,2002:(?:map|seq|str|int|float|bool|null|timestamp|merge)$)/

function taggedIn(document: Document.Parsed, lines: LineCounter): YamlFile['tagged'] {
  const found: { path: string; within: string; tag: string; text: string; line: number }[] = []
  visit(document, {
    Node: (_, node: Node, ancestors) => {
      const tag = 'tag' in node && typeof node.tag === 'string' ? node.tag : ''
      if (!ownTag.test(tag)) return
      const keyOf = (pair: (typeof ancestors)[number] | undefined) =>
        pair && 'key' in pair && isScalar(pair.key) ? String(pair.key.value) : 'a value'
      const path = keyOf(ancestors.findLast(ancestor => 'key' in ancestor))
      const within = keyOf(ancestors.find(ancestor => 'key' in ancestor))
      const text = isScalar(node) ? String(node.value) : ''
      found.push({ path, within, tag, text, line: node.range ? lines.linePos(node.range[0]).line : 1 })
    },
  })
  return found
}
