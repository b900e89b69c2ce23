import { endingOf } from '../../../contract/runs/endings.ts'
import type { Answer } from '../../clients/model-client.ts'

/**
 * Whether an answer may be given again to a later run: it ended as the model meant it, and it holds something. What was cut off, refused or
 * empty, or ended for an unknown reason, may end otherwise the next time. Asked when an answer is stored and when it is found, since
 * earlier releases stored every answer.
 */
export function isCacheable({ output, finishReason, refused }: Answer): boolean {
  const ending = endingOf(finishReason)
  return !refused && (ending === 'good' || ending === null) && output.trim() !== ''
}
