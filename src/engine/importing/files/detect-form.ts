import { unpackedName } from '../../../lib/file-name.ts'
import { isZip } from '../../archives/read-zip.ts'
import type { RowFormat, TextFormat } from './import-source.ts'

/** Bytes that are looked at. */
export const headBytes = 4096

/**
 * The form that a file turns out to have, by its first bytes; CSV by its name, since anything could be CSV.
 * @param upstream what it is taken for where the bytes do not tell
 */
export function detectForm(head: Buffer, name: string, upstream: Extract<RowFormat, { kind: 'any' }>['upstream']): RowFormat {
  const mark = head.toString('latin1', 0, 4)
  if (mark === 'PAR1') return { kind: 'parquet' }
  const isArchive = isZip(head) || head.toString('latin1', 257, 262) === 'ustar'
  if (isArchive && upstream.kind === 'archive') return upstream
  if (/\.(?:csv|tsv)$/i.test(unpackedName(name))) return upstream.kind === 'csv' ? upstream : { kind: 'csv' }
  const text = head
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart()
  if (text.startsWith('[')) return { kind: 'json' }
  if (text.startsWith('{')) return textIn(text, upstream)
  return upstream
}

/** JSON Lines, unless the object is one around the list that upstream has. */
function textIn(text: string, upstream: TextFormat | { readonly kind: 'archive' }): TextFormat {
  if (upstream.kind === 'json' && typeof upstream.key === 'string' && text.includes(`${JSON.stringify(upstream.key)}:`.slice(0, -1))) {
    const before = text.slice(0, text.indexOf(JSON.stringify(upstream.key)))
    // Other keys of the top level may precede it, but no list or object.
    if (!/[[{]/.test(before.replaceAll(/"(?:[^"\\]|\\.)*"?/g, '').slice(1))) return upstream
  }
  return upstream.kind === 'jsonl' ? upstream : { kind: 'jsonl' }
}

/**
 * JSON Lines and a list in JSON by the first bytes, since both come under either name; null where those say what the name does.
 * @param head ends within the first row where that is longer
 */
export function otherJson(kind: 'jsonl' | 'json', head: Buffer): { readonly kind: 'jsonl' | 'json' } | null {
  const text = head.toString('utf8').replace(/^\uFEFF/, '')
  if (kind === 'jsonl') return /^\s*\[\s*\{/.test(text) ? { kind: 'json' } : null
  // Objects one after another: each on a line, or printed over several.
  return /^\s*\{[^\n]*\}[^\S\n]*\n\s*\{/.test(text) || /^\s*\{[^]*?\n\}\s*\{/.test(text) ? { kind: 'jsonl' } : null
}
