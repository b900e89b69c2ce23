import { partText } from '../../../contract/messages/message-text.ts'
import { type MessageContent, partsOf } from '../../../contract/messages/messages.schemas.ts'

/** UTF-8 bytes of everything in a message that is text for a model; media count nothing. */
export function textBytes(content: MessageContent): number {
  return partsOf({ content }).reduce((sum, part) => sum + Buffer.byteLength(partText(part)), 0)
}
