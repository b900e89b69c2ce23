import { z } from 'zod'
import { answerWithin } from '../answer-within.ts'
import type { Sandboxes } from '../sandbox/sandbox.ts'
import { codeScorers, prepareCodeScorer } from './code/code-scorers.ts'
import { prepareScorer } from './registry.ts'
import type { Score, ScoreInput } from './scorer.ts'

/** A line of a file to grade. `target` may be one text, several (any of them) or null. */
const rowSchema = z.object({
  scorer: z.string().min(1),
  options: z.record(z.string(), z.unknown()).nullish(),
  output: z.string(),
  target: z.union([z.string().transform(text => [text]), z.array(z.string()), z.null().transform((): string[] => [])]).default([]),
  choices: z.array(z.string()).nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
})

type Grade = (input: ScoreInput) => Score | Promise<Score>

/** Grades single lines of JSON; rows with the same scorer and options share one prepared scorer. */
export class RowGrader {
  readonly #prepared = new Map<string, Grade>()
  readonly #openSandboxes: () => Promise<Sandboxes>

  /** @param openSandboxes called for the first row whose scorer runs code, and not before */
  constructor(openSandboxes: () => Promise<Sandboxes>) {
    this.#openSandboxes = openSandboxes
  }

  /** @throws Error saying what is wrong with the line, its scorer or its options */
  async grade(line: string): Promise<Score> {
    const { scorer, options, output, target, choices, metadata } = parseRow(line)
    const key = JSON.stringify([scorer, options])
    const score = this.#prepared.get(key) ?? (await this.#prepare(scorer, options ?? undefined))
    this.#prepared.set(key, score)
    // As in a run, reasoning that is marked in the text is not part of the answer.
    return score({ output: answerWithin(output).answer, targets: target, ...(choices && { choices }), ...(metadata && { metadata }) })
  }

  async #prepare(scorer: string, options: unknown): Promise<Grade> {
    if (!codeScorers.has(scorer)) return prepareScorer({ scorer, options })
    return prepareCodeScorer({ scorer, options }, await this.#openSandboxes())
  }
}

function parseRow(line: string): z.output<typeof rowSchema> {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new Error('it is not JSON')
  }
  const row = rowSchema.safeParse(value)
  if (!row.success) throw new Error(z.prettifyError(row.error).replaceAll('\n', ' '))
  return row.data
}
