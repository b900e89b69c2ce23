import type { Draw } from '../../../../tasks/draw.ts'

/** A contest problem: the rule in words, in Python, and here, where it computes what each test must give. */
export interface Problem {
  readonly title: string
  readonly statement: string
  readonly input: string
  readonly output: string
  /** Lines of a Python function `solve(...)` on the numbers of the input; the frames of both kinds of problems are put around it. */
  readonly body: string
  readonly wrongBody: string
  readonly difficulty: 'easy' | 'medium'
  /** The numbers of one test. */
  numbers(draw: Draw): number[]
  /** Tests at the edges, on one of which the wrong body is wrong. */
  readonly edges: readonly (readonly number[])[]
  solve(numbers: readonly number[]): number
}

const some = (draw: Draw, min: number, max: number): number[] => Array.from({ length: draw.int(1, 12) }, () => draw.int(min, max))

type Kind = (variant: number) => Problem

const input = 'a list of whole numbers'

const gaps: Kind = variant => {
  const limit = variant + 1
  return {
    title: `Steps higher than ${limit}`,
    statement: `Going through the numbers in their order, count the steps between neighbours that go up or down by more than ${limit}.`,
    input,
    output: 'the count',
    body: `    return sum(abs(b - a) > ${limit} for a, b in zip(numbers, numbers[1:]))`,
    wrongBody: `    return sum(b - a > ${limit} for a, b in zip(numbers, numbers[1:]))`,
    difficulty: 'easy',
    numbers: draw => some(draw, -limit - 5, limit + 5),
    edges: [[0], [limit + 1, 0], [0, limit]],
    solve: numbers => numbers.slice(1).filter((b, i) => Math.abs(b - (numbers[i] ?? b)) > limit).length,
  }
}

const trips: Kind = variant => {
  const load = variant + 8
  return {
    title: `Boxes on a cart for ${load}`,
    statement: `Boxes of the given weights (each between 1 and ${load}) are loaded in their order onto a cart that carries ${load}. When the next box would be too much, the cart drives off and the box begins the next trip. Count the trips.`,
    input,
    output: 'the number of trips',
    body: `    trips, carried = 1, 0\n    for weight in numbers:\n        if carried + weight > ${load}:\n            trips, carried = trips + 1, 0\n        carried += weight\n    return trips`,
    wrongBody: `    return -(-sum(numbers) // ${load})`,
    difficulty: 'medium',
    numbers: draw => some(draw, 1, load),
    edges: [[load], [load - 1, 2, load - 1], [1, 1, 1]],
    solve: numbers => {
      let trips = 1
      let carried = 0
      for (const weight of numbers) {
        if (carried + weight > load) {
          trips++
          carried = 0
        }
        carried += weight
      }
      return trips
    },
  }
}

const longest: Kind = variant => {
  const by = variant + 2
  return {
    title: `Longest stretch divisible by ${by}`,
    statement: `Find the length of the longest stretch of neighbouring numbers whose sum is divisible by ${by}. If there is none, answer 0.`,
    input,
    output: 'the length',
    body: `    seen, total, best = {0: 0}, 0, 0\n    for i, value in enumerate(numbers, 1):\n        total = (total + value) % ${by}\n        if total in seen:\n            best = max(best, i - seen[total])\n        else:\n            seen[total] = i\n    return best`,
    wrongBody: `    total, best = 0, 0\n    for i, value in enumerate(numbers, 1):\n        total += value\n        if total % ${by} == 0:\n            best = i\n    return best`,
    difficulty: 'medium',
    numbers: draw => some(draw, 0, 3 * by),
    edges: [[1], [by], [1, by, by]],
    solve: numbers => {
      let best = 0
      for (let from = 0; from < numbers.length; from++)
        for (let to = from + 1; to <= numbers.length; to++)
          if (numbers.slice(from, to).reduce((a, b) => a + b, 0) % by === 0) best = Math.max(best, to - from)
      return best
    },
  }
}

const choose: Kind = variant => {
  const apart = variant + 2
  return {
    title: `Most from places ${apart} apart`,
    statement: `Choose any of the numbers so that the places of two chosen ones differ by at least ${apart}, and so that their sum is as large as possible. Choosing none gives 0.`,
    input,
    output: 'the largest sum',
    body: `    best = [0] * (len(numbers) + 1)\n    for i, value in enumerate(numbers, 1):\n        best[i] = max(best[i - 1], value + best[max(0, i - ${apart})])\n    return best[-1]`,
    wrongBody: `    return max(0, max(sum(numbers[start::${apart}]) for start in range(min(${apart}, len(numbers)))))`,
    difficulty: 'medium',
    numbers: draw => some(draw, -5, 20),
    edges: [[-1], [5], [9, ...Array.from({ length: apart }, () => 0), 9], [9, ...Array.from({ length: apart }, () => -3), 9]],
    solve: numbers => {
      const best = [0]
      for (const [i, value] of numbers.entries()) best.push(Math.max(best[i] ?? 0, value + (best[Math.max(0, i + 1 - apart)] ?? 0)))
      return best.at(-1) ?? 0
    },
  }
}

const variants = 26

/** Kinds in turn, so that any first part of the list covers all of them. */
export const problems: readonly Problem[] = Array.from({ length: variants }, (_, variant) =>
  [gaps, trips, longest, choose].map(kind => kind(variant)),
).flat()
