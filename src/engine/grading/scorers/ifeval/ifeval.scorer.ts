import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import type { PreparedScorer, Scorer } from '../scorer.ts'
import { judged, unscored } from '../verdict.ts'
import { ifevalInstructions, type Instructions } from './instructions.ts'
import { looseVariants, strictVariants } from './variants.ts'

const options = z.strictObject({})

/** What the task carries: instruction ids and, at the same position, the arguments of each. */
const metadataSchema = z.object({
  instruction_id_list: z.array(z.string()).min(1).max(100),
  kwargs: z.array(z.record(z.string(), z.unknown())),
})

interface Named {
  readonly id: string
  readonly version: number
  /** The benchmark. */
  readonly set: string
  readonly name: string
  readonly reading: string
}

export const ifevalStrict = instructionScorer(
  { id: 'ifeval/strict', version: 2, set: 'IFEval', name: 'strict', reading: 'the response as it is' },
  ifevalInstructions,
  strictVariants,
)
export const ifevalLoose = instructionScorer(
  { id: 'ifeval/loose', version: 2, set: 'IFEval', name: 'loose', reading: 'any of eight trimmed readings of the response' },
  ifevalInstructions,
  looseVariants,
)

/** 1 where a reading of the response follows every instruction of the task. */
export function instructionScorer(
  { id, version, set, name, reading }: Named,
  instructions: Instructions,
  variants: (response: string) => readonly string[],
): Scorer<z.output<typeof options>> {
  return defineScorer({
    id,
    version,
    title: `${set}, ${name}`,
    description: `Instruction following with verifiable instructions: 1 when ${reading} follows every instruction of the task.`,
    options,
    prepare: () => check(instructions, variants),
  })
}

function check(instructions: Instructions, variants: (response: string) => readonly string[]): PreparedScorer {
  return ({ output, metadata }) => {
    const parsed = metadataSchema.safeParse(metadata)
    if (!parsed.success) return unscored('The task metadata lacks instruction_id_list and kwargs, so there is no instruction to check.')
    const { instruction_id_list: ids, kwargs } = parsed.data
    const texts = variants(output)
    const values: Record<string, number> = {}
    const broken: string[] = []
    for (const [i, id] of ids.entries()) {
      const follows = instructions.checker(id, kwargs[i] ?? {})
      const isFollowed = texts.some(follows)
      values[valueName(ids, i)] = isFollowed ? 1 : 0
      if (!isFollowed) broken.push(id)
    }
    const explanation =
      broken.length === 0
        ? `All ${ids.length} instructions are followed.`
        : `${broken.length} of ${ids.length} instructions are not followed: ${broken.join(', ')}.`
    return judged(broken.length === 0, { answer: null, values, explanation })
  }
}

/** The instruction's id; the second and later of the same id get `#2`, `#3`. */
function valueName(ids: readonly string[], index: number): string {
  const id = ids[index] ?? ''
  const earlier = ids.slice(0, index).filter(other => other === id).length
  return earlier === 0 ? id : `${id}#${earlier + 1}`
}
