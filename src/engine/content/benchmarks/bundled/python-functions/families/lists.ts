import { type Family, integers } from '../family.ts'

const numbers = 'values: list[int]'
const someNumbers: readonly (readonly unknown[])[] = [[[]], [[0]], [[5, 5, 5]], [[-3, -1, -2]]]

const sumOfMultiples: Family = {
  variants: 6,
  problem: variant => {
    const factor = variant + 3
    return {
      name: `sum_multiples_of_${factor}`,
      parameters: numbers,
      returns: 'int',
      request: `Return the sum of all numbers in the list that are divisible by ${factor}. Zero is divisible by every number. The sum of none is 0.`,
      body: `    return sum(value for value in values if value % ${factor} == 0)`,
      wrongBody: `    return sum(value for value in values if value % ${factor} == 0 and value > 0)`,
      arguments: draw => [integers(draw, [1, 9], -30, 60)],
      edges: [...someNumbers, [[-factor, factor * 2, -factor * 3]]],
      topic: 'lists of numbers',
    }
  },
}

const everyNth: Family = {
  variants: 6,
  problem: variant => {
    const step = variant + 2
    return {
      name: `every_${step}th_reversed`,
      parameters: numbers,
      returns: 'list[int]',
      request: `Take the items at positions 0, ${step}, ${2 * step} and so on, and return them in reverse order.`,
      body: `    return values[::${step}][::-1]`,
      wrongBody: `    return values[::-${step}]`,
      arguments: draw => [integers(draw, [4, 20], -9, 9)],
      edges: [...someNumbers, [Array.from({ length: 2 * step }, (_, i) => i)], [Array.from({ length: 2 * step + 1 }, (_, i) => i)]],
      topic: 'lists of numbers',
    }
  },
}

const windowMaximum: Family = {
  variants: 5,
  problem: variant => {
    const width = variant + 2
    return {
      name: `largest_sum_of_${width}_neighbours`,
      parameters: numbers,
      returns: 'int | None',
      request: `Return the largest sum of ${width} neighbouring items. If there are fewer than ${width} items, return None.`,
      body: `    if len(values) < ${width}:\n        return None\n    return max(sum(values[i:i + ${width}]) for i in range(len(values) - ${width} + 1))`,
      wrongBody: `    if len(values) < ${width}:\n        return None\n    best = 0\n    for i in range(len(values) - ${width} + 1):\n        best = max(best, sum(values[i:i + ${width}]))\n    return best`,
      arguments: draw => [integers(draw, [width, 12], -20, 20)],
      edges: [...someNumbers, [[-9, -8, -7, -6, -5, -4, -3]], [[1, 2, 3, 4, 5, 6, 7, 8]]],
      topic: 'lists of numbers',
    }
  },
}

const runLengths: Family = {
  variants: 4,
  problem: variant => {
    const least = variant + 1
    return {
      name: `runs_of_at_least_${least}`,
      parameters: numbers,
      returns: 'list[list[int]]',
      request: `Split the list into runs of equal neighbouring items. For each run of at least ${least} item${least === 1 ? '' : 's'} return [item, length], in order.`,
      body: `    runs = []\n    for value in values:\n        if runs and runs[-1][0] == value:\n            runs[-1][1] += 1\n        else:\n            runs.append([value, 1])\n    return [run for run in runs if run[1] >= ${least}]`,
      wrongBody: `    return [[value, values.count(value)] for value in dict.fromkeys(values) if values.count(value) > ${least}]`,
      arguments: draw => [integers(draw, [3, 14], 1, 3)],
      edges: [...someNumbers, [[1, 1, 2, 2, 2, 1, 1, 1, 1]], [[7, 7]]],
      topic: 'lists of numbers',
    }
  },
}

const rotate: Family = {
  variants: 5,
  problem: variant => {
    const places = [1, 2, 3, 5, 7][variant] ?? 1
    return {
      name: `rotate_right_by_${places}`,
      parameters: numbers,
      returns: 'list[int]',
      request: `Move every item ${places} place${places === 1 ? '' : 's'} to the right; what leaves at the end comes in at the front. Work for lists shorter than ${places + 1} too.`,
      body: `    if not values:\n        return []\n    shift = ${places} % len(values)\n    return values[len(values) - shift:] + values[:len(values) - shift]`,
      wrongBody: `    return values[${places}:] + values[:${places}]`,
      arguments: draw => [integers(draw, [1, 9], 0, 9)],
      edges: [[[]], [[1]], [[1, 2]], [[1, 2, 3]], [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]]],
      topic: 'lists of numbers',
    }
  },
}

const kthDistinct: Family = {
  variants: 4,
  problem: variant => {
    const place = variant + 2
    const name = ['second', 'third', 'fourth', 'fifth'][variant] ?? 'second'
    return {
      name: `${name}_largest_distinct`,
      parameters: numbers,
      returns: 'int | None',
      request: `Return the ${name} largest of the different values in the list, or None if there are fewer than ${place} different values.`,
      body: `    ordered = sorted(set(values), reverse=True)\n    return ordered[${place - 1}] if len(ordered) >= ${place} else None`,
      wrongBody: `    ordered = sorted(values, reverse=True)\n    return ordered[${place - 1}] if len(ordered) >= ${place} else None`,
      arguments: draw => [integers(draw, [3, 10], 0, 9)],
      edges: [...someNumbers, [[9, 9, 8, 8, 7, 7, 6, 6, 5, 5]]],
      topic: 'lists of numbers',
    }
  },
}

export const listFamilies: readonly Family[] = [sumOfMultiples, everyNth, windowMaximum, runLengths, rotate, kthDistinct]
