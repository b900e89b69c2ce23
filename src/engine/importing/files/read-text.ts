const replacement = '\uFFFD'

/**
 * UTF-8 as text, in pieces, without a byte order mark at the start. Ends after the first piece that is not UTF-8, which is null and
 * comes after all the sound text before it.
 */
export async function* readText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string | null> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of bytes) {
    const text = decodeOr(() => decoder.decode(chunk, { stream: true }))
    if (text === null) {
      yield soundStart(chunk)
      yield null
      return
    }
    yield text
  }
  const rest = decodeOr(() => decoder.decode())
  if (rest === null) yield null
}

/** What can be read of a chunk with a fault in it. */
function soundStart(chunk: Uint8Array): string {
  const text = new TextDecoder('utf-8').decode(chunk)
  return text.slice(0, Math.max(0, text.indexOf(replacement)))
}

function decodeOr(decode: () => string): string | null {
  try {
    return decode()
  } catch {
    return null
  }
}
