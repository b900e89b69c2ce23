import type { JudgeDefinition } from '../contract/evaluators/evaluator-definition.schemas.ts'
import { type JudgeReply, type ParsedVerdict, parseVerdict } from '../engine/grading/judges/parse-verdict.ts'

/** A judge's reply to be read. */
export interface VerdictTask {
  readonly judge: JudgeDefinition
  readonly reply: JudgeReply
  readonly boundary: string
}

export default function readText({ judge, reply, boundary }: VerdictTask): ParsedVerdict {
  return parseVerdict(judge, reply, boundary)
}
