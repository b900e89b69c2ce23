import { type MessageContent, type Part, unnamedDocument } from '../../../contract/messages/messages.schemas.ts'
import { audioFormat, dataUri, type MediaLookup } from '../wire/media-lookup.ts'

/** A message's content as chat completions take it; reasoning has a field of its own beside it. */
export function chatContent(content: MessageContent, media: MediaLookup): string | object[] {
  if (!Array.isArray(content)) return content
  const said = content.filter(({ type }) => type !== 'reasoning')
  return said.length === 0 ? '' : said.map(part => chatPart(part, media))
}

/** Earlier reasoning, as vLLM and llama.cpp take it back. */
export function chatReasoning(content: MessageContent): { reasoning_content?: string } {
  if (!Array.isArray(content)) return {}
  const thoughts = content.flatMap(part => (part.type === 'reasoning' ? [part.text] : []))
  return thoughts.length === 0 ? {} : { reasoning_content: thoughts.join('\n\n') }
}

function chatPart(part: Part, media: MediaLookup): object {
  switch (part.type) {
    case 'image':
      return { type: 'image_url', image_url: { url: dataUri(media(part)), ...(part.detail && { detail: part.detail }) } }
    case 'audio': {
      const { base64, mediaType } = media(part)
      return { type: 'input_audio', input_audio: { data: base64, format: audioFormat(mediaType) } }
    }
    case 'document':
      return { type: 'file', file: { filename: part.title ?? unnamedDocument, file_data: dataUri(media(part)) } }
    case 'tool_result':
      return { type: 'text', text: part.content }
    case 'text':
      return { type: 'text', text: part.text }
    case 'reasoning':
    case 'tool_call':
      throw new RangeError(`A part of type "${part.type}" is no content.`)
  }
}
