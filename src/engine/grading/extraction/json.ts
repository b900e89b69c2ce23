import { codeBlocks } from './code-blocks.ts'

/** Numbers that a double cannot hold are `bigint`s. */
export interface FoundJson {
  readonly text: string
  readonly value: unknown
}

/** The JSON value of a text with whole numbers of any size exact, or undefined when it is none. */
export function parseExactJson(text: string): unknown {
  try {
    // Only a number of 16 digits or more can be one that a double cannot hold.
    return /\d{16}/.test(text) ? JSON.parse(text, exactWhole) : JSON.parse(text)
  } catch {
    return undefined
  }
}

function exactWhole(this: unknown, _key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source ?? ''
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? BigInt(source) : value
}

/**
 * The JSON that an output is, or that its only block of JSON holds. Bare, or in a fence of any form (`~~~`, four backticks, on one line,
 * never closed); a byte order mark and text around the fence do not matter. Null where it holds none, or several blocks that differ.
 */
export function findJson(output: string): FoundJson | null {
  const bare = output.replace(/^[\s\ufeff\u200b]+/, '').trimEnd()
  const whole = found(bare)
  if (whole) return whole
  const blocks = codeBlocks(bare).flatMap(({ code }) => found(code.trim()) ?? [])
  const texts = new Set(blocks.map(({ text }) => text))
  return texts.size === 1 ? (blocks[0] ?? null) : null
}

function found(text: string): FoundJson | null {
  const value = parseExactJson(text)
  return value === undefined ? null : { text, value }
}

/** As JSON text, whole numbers of any size exact. */
export function jsonText(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}:${jsonText(item)}`)
    .join(',')}}`
}
