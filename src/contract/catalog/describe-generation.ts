import type { Generation } from './benchmarks.schemas.ts'

/** The structured output that a profile asks for, for people; empty for plain text. */
export function describeFormat({ response_format: format }: Pick<Generation, 'response_format'>): string[] {
  return format ? [`answers are JSON after the schema “${format.name}”`] : []
}

/** What a profile says of reasoning besides the usual, for people; empty where it is kept apart and not graded. */
export function describeReasoning({ reasoning, grade }: Pick<Generation, 'reasoning' | 'grade'>): string[] {
  return [
    ...(reasoning === 'as_text' ? ['reasoning stays part of the answer'] : []),
    ...(grade === 'output_and_reasoning' ? ['reasoning is graded with the answer'] : []),
  ]
}

/** The size above which a profile has images resized, for people; empty where it states none. */
export function describeImageLimit({ max_image_pixels: most }: Pick<Generation, 'max_image_pixels'>): string[] {
  return most === undefined ? [] : [`images above ${most.toLocaleString('en')} pixels are resized`]
}
