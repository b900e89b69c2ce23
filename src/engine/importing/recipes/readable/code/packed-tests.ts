import { inflateSync } from 'node:zlib'
import { RowError } from '../../../files/row.ts'

const mostBytes = 256 * 1024 * 1024

/** Opcodes of Python's pickle before a text, with the number of bytes that hold its length. */
const textOpcodes: Readonly<Record<number, number>> = { 0x8c: 1, 0x58: 4, 0x8d: 8 }

/**
 * LiveCodeBench's private tests: a text in pickle in zlib in base64. Only that one text is read; a pickle of anything else is refused,
 * since loading one can run code.
 */
export function unpackTests(text: string, name: string): string {
  let bytes: Buffer
  try {
    bytes = inflateSync(Buffer.from(text, 'base64'), { maxOutputLength: mostBytes })
  } catch {
    throw new RowError(`The field "${name}" is neither JSON nor packed the way LiveCodeBench does.`)
  }
  // PROTO with its version, and FRAME with a length of eight bytes, may come first.
  let at = bytes[0] === 0x80 ? 2 : 0
  if (bytes[at] === 0x95) at += 9
  const width = textOpcodes[bytes[at] ?? 0]
  if (width === undefined) throw new RowError(`The field "${name}" is packed and does not hold a text.`)
  const length = bytes.readUIntLE(at + 1, Math.min(width, 6))
  return bytes.toString('utf8', at + 1 + width, at + 1 + width + length)
}
