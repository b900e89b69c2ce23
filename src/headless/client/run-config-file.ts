import { isMap, LineCounter, parseDocument } from 'yaml'
import type { Document } from 'yaml'
import type { z } from 'zod'
import { describeIssue } from '../../contract/describe-issue.ts'
import { describeField } from '../../contract/errors.ts'
import { meantIssues } from '../../contract/meant-issues.ts'
import { RunConfig } from '../../contract/run-config/run-config.schemas.ts'
import { UsageError } from '../exit-codes.ts'
import { readNamedFile } from '../read-named-file.ts'
import { messageOf } from '../../lib/message-of.ts'

/** Reads `assay.yaml`. @throws UsageError naming each fault with line and column */
export function readRunConfig(path: string): RunConfig {
  return parseRunConfig(readNamedFile(path).toString(), path)
}

export function parseRunConfig(text: string, path: string): RunConfig {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const faults = document.errors.map(({ pos: [offset], message }) => ({ offset, message }))
  if (faults.length === 0) {
    const parsed = RunConfig.safeParse(contentOf(document, path), { reportInput: true })
    if (parsed.success) return parsed.data
    for (const issue of meantIssues(parsed.error.issues)) faults.push({ offset: offsetOf(document, issue), message: faultOf(issue) })
  }
  const described = faults.map(({ offset, message }) => {
    const { line, col } = lines.linePos(offset)
    return `${path}:${line}:${col}: ${message}`
  })
  throw new UsageError(described.join('\n'))
}

/** Aliases can make a small file huge; the parser stops such a one. */
function contentOf(document: Document, path: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    throw new UsageError(`${path}: ${messageOf(error)}`)
  }
}

/** Where the value of an issue begins; where it is missing, its closest parent. */
function offsetOf(document: Document, issue: z.core.$ZodIssue): number {
  const path = issue.path.filter(part => typeof part !== 'symbol')
  if (issue.code === 'unrecognized_keys') {
    const parent = path.length === 0 ? document.contents : document.getIn(path, true)
    const pair = isMap(parent) ? parent.items.find(({ key }) => issue.keys.includes(String(key))) : undefined
    const start = rangeOf(pair?.key)
    if (start !== null) return start
  }
  for (let length = path.length; length > 0; length--) {
    const start = rangeOf(document.getIn(path.slice(0, length), true))
    if (start !== null) return start
  }
  return rangeOf(document.contents) ?? 0
}

function rangeOf(node: unknown): number | null {
  const range = typeof node === 'object' && node !== null && 'range' in node ? node.range : null
  const start: unknown = Array.isArray(range) ? range[0] : null
  return typeof start === 'number' ? start : null
}

function faultOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'unrecognized_keys') return describeField(['the file', ...issue.path.map(String)], describeIssue(issue))
  const name = issue.path.map(String).join('.')
  return `unknown key ${issue.keys.map(key => `"${key}"`).join(', ')}${name === '' ? '' : ` in ${name}`}`
}
