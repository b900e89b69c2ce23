import { code, doubled } from './maths-delimiters.ts'
import { outside } from './outside.ts'

/** Markdown in which a star between two operands is a star: `130*1.5 = 2*97.5` has no emphasis that would swallow its signs. */
export function keepArithmetic(markdown: string): string {
  return outside(code, markdown, prose =>
    outside(doubled, prose, part => part.replaceAll(/(?<=[\p{L}\p{N})\]%])\*(?=[\p{L}\p{N}($[])/gu, String.raw`\*`)),
  )
}
