import type { JudgeDefinition } from '../contract/evaluators/evaluator-definition.schemas.ts'
import { boundedReply, type JudgeReply, type ParsedVerdict, parseVerdict } from '../engine/grading/judges/parse-verdict.ts'
import { createBoundedPool, WorkLimitError } from './bounded-pool.ts'
import type readText from './read-text.worker.ts'

/** Milliseconds that reading a reply may take. */
const replyMs = 5_000
/** Characters that are read where they came in: whatever they hold takes less than a hop to a thread and back. */
const shortReply = 2_000

/** Reads what judges wrote, beside the service's loop. */
export interface VerdictPool {
  read(judge: JudgeDefinition, reply: JudgeReply, boundary: string): Promise<ParsedVerdict>
  close(): Promise<void>
}

export function createVerdictPool(filename: string, deadlineMs = replyMs): VerdictPool {
  const pool = createBoundedPool({ filename, threads: 1, idleMs: 2_000, deadlineMs, heapMb: 512 })
  return {
    read: async (judge, given, boundary) => {
      const reply = boundedReply(given)
      if (reply.text.length + (reply.structured?.length ?? 0) <= shortReply) return parseVerdict(judge, reply, boundary)
      try {
        return await pool.run<typeof readText>({ judge, reply, boundary })
      } catch (error) {
        if (!(error instanceof WorkLimitError)) throw error
        return { verdict: null, reason: '', problem: `wrote a reply that could not be read: ${error.message}` }
      }
    },
    close: () => pool.close(),
  }
}
