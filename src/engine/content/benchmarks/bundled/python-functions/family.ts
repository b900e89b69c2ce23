import type { Draw } from '../../../../tasks/draw.ts'

/** One function to write, with everything that its tests need. The reference's body is indented by four spaces. */
export interface FunctionProblem {
  readonly name: string
  /** e.g. `values: list[int]` */
  readonly parameters: string
  readonly returns: string
  /** What it must do, as sentences. */
  readonly request: string
  readonly body: string
  /** A body that makes the commonest mistake; it fails at least one of the inputs. */
  readonly wrongBody: string
  /** Draws the arguments of one call. */
  arguments(draw: Draw): readonly unknown[]
  /** Arguments at the edges of what is allowed: empty, one item, equal items, zero. */
  readonly edges: readonly (readonly unknown[])[]
  readonly topic: string
}

/** A kind of function; the number tells its variant, and each variant is another problem. */
export interface Family {
  readonly variants: number
  problem(variant: number): FunctionProblem
}

/** A list of whole numbers. */
export function integers(draw: Draw, length: readonly [number, number], min: number, max: number): number[] {
  return Array.from({ length: draw.int(...length) }, () => draw.int(min, max))
}

const words = [
  'amber',
  'birch',
  'cedar',
  'dune',
  'ember',
  'fern',
  'grove',
  'heron',
  'iris',
  'juniper',
  'kelp',
  'larch',
  'moss',
  'noon',
  'otter',
  'level',
] as const

export function wordsFrom(draw: Draw, length: readonly [number, number]): string[] {
  return Array.from({ length: draw.int(...length) }, () => draw.pick(words))
}
