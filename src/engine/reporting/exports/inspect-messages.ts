import { isMediaPart, mediaIn, type Message, type Part, partsOf, unnamedDocument } from '../../../contract/messages/messages.schemas.ts'
import type { ReadMedia } from '../report/report-sample.ts'

/** Messages as Inspect's logs have them, and the files that they show, as data URIs by the name under which the messages refer to them. */
export async function inspectMessages(
  messages: readonly Message[],
  readMedia: ReadMedia,
): Promise<{ readonly messages: readonly object[]; readonly attachments: Readonly<Record<string, string>> }> {
  const found = new Map<string, { readonly name: string; readonly mediaType: string; readonly uri: string }>()
  for (const digest of mediaIn(messages)) {
    const file = await readMedia(digest)
    if (!file) continue
    const base64 = Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength).toString('base64')
    found.set(digest, { name: digest.slice('sha256:'.length), mediaType: file.mediaType, uri: `data:${file.mediaType};base64,${base64}` })
  }
  /** A file that is missing is named by its digest. */
  const refer = (digest: string) => (found.has(digest) ? `attachment://${digest.slice('sha256:'.length)}` : digest)
  const contentOf = (part: Part): object => {
    if (!isMediaPart(part)) return textOf(part)
    const mediaType = found.get(part.media)?.mediaType ?? ''
    if (part.type === 'image') return { type: 'image', image: refer(part.media), ...(part.detail && { detail: part.detail }) }
    if (part.type === 'audio') return { type: 'audio', audio: refer(part.media), format: mediaType === 'audio/mpeg' ? 'mp3' : 'wav' }
    return { type: 'document', document: refer(part.media), filename: part.title ?? unnamedDocument, mime_type: 'application/pdf' }
  }
  return {
    messages: messages.map(message => {
      if (typeof message.content === 'string') return message
      const calls = partsOf(message).flatMap(part => (part.type === 'tool_call' ? [callOf(part)] : []))
      const content = message.content.filter(({ type }) => type !== 'tool_call').map(contentOf)
      return { ...message, content, ...(calls.length > 0 ? { tool_calls: calls } : {}) }
    }),
    attachments: Object.fromEntries([...found.values()].map(({ name, uri }) => [name, uri])),
  }
}

function textOf(part: Exclude<Part, { media: string }>): object {
  if (part.type === 'reasoning')
    return {
      type: 'reasoning',
      reasoning: part.text,
      ...(part.signature !== undefined && { signature: part.signature }),
      ...(part.redacted && { redacted: true }),
    }
  return { type: 'text', text: part.type === 'text' ? part.text : part.type === 'tool_result' ? part.content : '' }
}

function callOf({ id, name, arguments: given }: Extract<Part, { type: 'tool_call' }>): object {
  return { id, function: name, arguments: objectIn(given), type: 'function' }
}

/** Inspect keeps arguments as an object; any other text is kept whole under a name of its own. */
function objectIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return { text }
  }
}
