import { peek } from './decode-bytes.ts'
import type { ImportLimits } from './limits.ts'

/** One line without its end, or why it cannot be read. */
export type Line = { readonly number: number; readonly text: string } | { readonly number: number; readonly problem: string }

const lineFeed = 0x0a
const byteOrderMark = '\uFEFF'

/**
 * Lines of UTF-8 text, ended by LF or CRLF, with or without a byte order mark at the start. A line that is not UTF-8 or too long is
 * answered as a problem and the next one is read.
 * @param otherwise the encoding of a file whose first line beyond ASCII is not UTF-8
 */
export async function* readLines(
  bytes: AsyncIterable<Uint8Array>,
  limits: ImportLimits,
  otherwise: 'windows-1252' | null = null,
): AsyncGenerator<Line> {
  const decode = strictDecoder(otherwise)
  let number = 0
  let held: Uint8Array[] = []
  let heldBytes = 0
  const finish = (last: Uint8Array): Line => {
    number++
    const isTooLong = heldBytes + last.length > limits.lineBytes
    const line = isTooLong
      ? { number, problem: `The line is longer than ${limits.lineBytes} bytes.` }
      : decode(number, held.length === 0 ? last : Buffer.concat([...held, last]))
    held = []
    heldBytes = 0
    return line
  }
  for await (const chunk of bytes) {
    let start = 0
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      yield finish(chunk.subarray(start, end))
      start = end + 1
    }
    if (start === chunk.length) continue
    heldBytes += chunk.length - start
    // What is too long anyway is only counted.
    if (heldBytes <= limits.lineBytes) held.push(chunk.subarray(start))
  }
  if (heldBytes > 0) yield finish(new Uint8Array())
}

/** The first bytes and all of them, with line feeds where the first line ends with a carriage return alone, as old programs of the Mac write it. */
export async function peekLines(bytes: AsyncIterable<Uint8Array>, wanted: number): ReturnType<typeof peek> {
  const { head, whole } = await peek(bytes, wanted)
  const first = head.indexOf('\r')
  const isAlone = first >= 0 && first < head.length - 1 && !head.subarray(0, first + 2).includes('\n')
  return { head, whole: isAlone ? withLineFeeds(whole) : whole }
}

async function* withLineFeeds(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) yield chunk.map(byte => (byte === 0x0d ? 0x0a : byte))
}

function decodeOrNull(decoder: Pick<InstanceType<typeof TextDecoder>, 'decode'>, bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

function strictDecoder(otherwise: 'windows-1252' | null): (number: number, bytes: Uint8Array) => Line {
  let decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let isSettled = otherwise === null
  return (number, bytes) => {
    try {
      let text = decodeOrNull(decoder, bytes)
      // Text of one byte a letter has no byte of 0.
      if (text === null && !isSettled && otherwise !== null && !bytes.includes(0)) {
        isSettled = true
        decoder = new TextDecoder(otherwise)
        text = decoder.decode(bytes)
      }
      if (text === null) throw new TypeError('The bytes are no text.')
      // Letters beyond ASCII that were read say that the file is UTF-8.
      if (!isSettled && text.length !== bytes.length) isSettled = true
      const body = number === 1 && text.startsWith(byteOrderMark) ? text.slice(1) : text
      return { number, text: body.endsWith('\r') ? body.slice(0, -1) : body }
    } catch {
      const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
      return {
        number,
        problem: `The line is not UTF-8${isUtf16 ? ' but looks like UTF-16' : ''}. Save the file as UTF-8 and import it again.`,
      }
    }
  }
}
