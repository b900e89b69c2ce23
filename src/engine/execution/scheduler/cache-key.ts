import { createHash } from 'node:crypto'
import type { ModelRequest } from '../../clients/model-client.ts'
import type { CacheScope } from './ports.ts'

/** Names everything that an answer depends on: endpoint, model, the whole request and which repetition of it this is. */
export function cacheKey(
  { endpoint, model }: CacheScope,
  { messages, temperature, maxOutputTokens, stop, effort, reasoning }: ModelRequest,
  epoch: number,
): Uint8Array {
  const asked: unknown[] = [
    endpoint,
    model,
    epoch,
    messages.map(({ role, content }) => [role, content]),
    temperature,
    maxOutputTokens,
    stop,
  ]
  // Without one the key is what it was before there were efforts.
  if (effort !== undefined) asked.push(effort)
  if (reasoning !== undefined) asked.push({ reasoning })
  return createHash('sha256').update(JSON.stringify(asked)).digest()
}
