import type { Generation } from './benchmarks.schemas.ts'

/** What a profile says of reasoning besides the usual, for people; empty where it is kept apart and not graded. */
export function describeReasoning({ reasoning, grade }: Pick<Generation, 'reasoning' | 'grade'>): string[] {
  return [
    ...(reasoning === 'as_text' ? ['reasoning stays part of the answer'] : []),
    ...(grade === 'output_and_reasoning' ? ['reasoning is graded with the answer'] : []),
  ]
}
