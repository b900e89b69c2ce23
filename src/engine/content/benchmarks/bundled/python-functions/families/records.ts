import { type Family, integers, wordsFrom } from '../family.ts'

const groupByRemainder: Family = {
  variants: 5,
  problem: variant => {
    const by = variant + 2
    return {
      name: `group_by_remainder_${by}`,
      parameters: 'values: list[int]',
      returns: 'dict[int, list[int]]',
      request: `Group the numbers by their remainder on division by ${by}, in Python's sense, so never negative. Keep the order within a group; leave out empty groups.`,
      body: `    groups = {}\n    for value in values:\n        groups.setdefault(value % ${by}, []).append(value)\n    return groups`,
      wrongBody: `    groups = {}\n    for value in sorted(values):\n        groups.setdefault(abs(value) % ${by}, []).append(value)\n    return groups`,
      arguments: draw => [integers(draw, [2, 10], -20, 20)],
      edges: [[[]], [[0]], [[-1, -7, -2, 5]], [[4, 3, 2, 1]]],
      topic: 'dictionaries',
    }
  },
}

const frequent: Family = {
  variants: 4,
  problem: variant => {
    const most = variant + 1
    return {
      name: `top_${most}_words`,
      parameters: 'words: list[str]',
      returns: 'list[str]',
      request: `Return the ${most} most frequent word${most === 1 ? '' : 's'}, most frequent first. Of words that are equally frequent the one that comes first in the alphabet goes first. Return fewer if there are fewer different words.`,
      body: `    counts = {}\n    for word in words:\n        counts[word] = counts.get(word, 0) + 1\n    return sorted(counts, key=lambda word: (-counts[word], word))[:${most}]`,
      wrongBody: `    return sorted(set(words), key=lambda word: -words.count(word) * 100 - len(word))[:${most}]`,
      arguments: draw => [wordsFrom(draw, [3, 12])],
      edges: [[[]], [['b', 'a']], [['iris', 'juniper', 'iris', 'juniper', 'amber']], [['dune', 'cedar', 'birch', 'amber', 'juniper']]],
      topic: 'dictionaries',
    }
  },
}

const priceOver: Family = {
  variants: 5,
  problem: variant => {
    const least = [5, 10, 20, 25, 50][variant] ?? 5
    return {
      name: `stock_worth_${least}_or_more`,
      parameters: 'stock: dict[str, list[int]]',
      returns: 'list[str]',
      request: `Each entry holds a name with [count, price]. Return the names of the entries whose count times price is at least ${least}, worth most first, and by the alphabet where they are worth the same.`,
      body: `    worth = {name: count * price for name, (count, price) in stock.items()}\n    return sorted((name for name in worth if worth[name] >= ${least}), key=lambda name: (-worth[name], name))`,
      wrongBody: `    worth = {name: count * price for name, (count, price) in stock.items()}\n    return sorted((name for name in worth if worth[name] > ${least}), key=lambda name: -worth[name])`,
      arguments: draw => [Object.fromEntries(wordsFrom(draw, [1, 6]).map(word => [word, [draw.int(0, 6), draw.int(1, 12)]]))],
      edges: [[{}], [{ iris: [1, least], fern: [1, least], dune: [1, least - 1] }], [{ otter: [0, 99] }]],
      topic: 'dictionaries',
    }
  },
}

const mergeRanges: Family = {
  variants: 4,
  problem: variant => {
    const gap = variant
    return {
      name: `merge_ranges_gap_${gap}`,
      parameters: 'ranges: list[list[int]]',
      returns: 'list[list[int]]',
      request: `Each range is [first, last] with first at most last. Merge ranges that overlap or whose distance (first of the later one minus last of the earlier one) is at most ${gap}, and return the result in ascending order.`,
      body: `    merged = []\n    for first, last in sorted(ranges):\n        if merged and first - merged[-1][1] <= ${gap}:\n            merged[-1][1] = max(merged[-1][1], last)\n        else:\n            merged.append([first, last])\n    return merged`,
      wrongBody: `    merged = []\n    for first, last in sorted(ranges):\n        if merged and first - merged[-1][1] <= ${gap}:\n            merged[-1][1] = last\n        else:\n            merged.append([first, last])\n    return merged`,
      arguments: draw => [
        Array.from({ length: draw.int(1, 6) }, () => {
          const first = draw.int(0, 30)
          return [first, first + draw.int(0, 6)]
        }),
      ],
      edges: [
        [[]],
        [
          [
            [1, 9],
            [2, 3],
          ],
        ],
        [
          [
            [5, 6],
            [1, 2],
          ],
        ],
        [
          [
            [1, 2],
            [2 + gap, 8],
            [9 + gap, 9 + gap],
          ],
        ],
      ],
      topic: 'lists of pairs',
    }
  },
}

const transpose: Family = {
  variants: 3,
  problem: variant => {
    const fill = [0, -1, 9][variant] ?? 0
    return {
      name: `columns_filled_with_${String(fill).replace('-', 'minus_')}`,
      parameters: 'rows: list[list[int]]',
      returns: 'list[list[int]]',
      request: `Turn rows into columns. Rows may differ in length; a missing place counts as ${fill}.`,
      body: `    width = max((len(row) for row in rows), default=0)\n    return [[row[i] if i < len(row) else ${fill} for row in rows] for i in range(width)]`,
      wrongBody: `    return [list(column) for column in zip(*rows)]`,
      arguments: draw => [Array.from({ length: draw.int(1, 4) }, () => integers(draw, [0, 4], 0, 9))],
      edges: [[[]], [[[]]], [[[1, 2, 3], [4]]], [[[], [1]]]],
      topic: 'lists of lists',
    }
  },
}

export const recordFamilies: readonly Family[] = [groupByRemainder, frequent, priceOver, mergeRanges, transpose]
