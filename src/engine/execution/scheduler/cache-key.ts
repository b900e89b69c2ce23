import { createHash } from 'node:crypto'
import type { ModelRequest, Turn } from '../../clients/model-client.ts'
import type { CacheScope } from './ports.ts'

/** Names everything that an answer depends on: endpoint, model, the whole request and which repetition of it this is. */
export function cacheKey(
  { endpoint, model }: CacheScope,
  { messages, temperature, maxOutputTokens, stop, effort, reasoning, responseFormat, maxImagePixels }: ModelRequest,
  epoch: number,
): Uint8Array {
  const asked: unknown[] = [endpoint, model, epoch, messages.map(keyOf), temperature, maxOutputTokens, stop]
  // Without one the key is what it was before there were efforts.
  if (effort !== undefined) asked.push(effort)
  if (reasoning !== undefined) asked.push({ reasoning })
  if (responseFormat !== undefined) asked.push({ responseFormat })
  if (maxImagePixels !== undefined) asked.push({ maxImagePixels })
  return createHash('sha256').update(JSON.stringify(asked)).digest()
}

/** Media are their digests. A message of text alone has the key that it had before there were others. */
function keyOf(turn: Turn): unknown[] {
  const { role, content } = turn
  const more = {
    ...('toolCalls' in turn && { calls: turn.toolCalls.map(({ id, name, arguments: given }) => [id, name, given]) }),
    ...('toolCallId' in turn && { id: turn.toolCallId, ...(turn.isError && { isError: true }) }),
    ...('name' in turn && turn.name !== undefined && { name: turn.name }),
  }
  return Object.keys(more).length === 0 ? [role, content] : [role, content, more]
}
