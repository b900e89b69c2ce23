import { type FunctionProblem, integers, wordsFrom } from '../python-functions/family.ts'

type Problem = Omit<FunctionProblem, 'returns'>

/** Each kind of function in nine variants, by a number from 2 on that the function is about. */
export const variants = 9

const listEdges: readonly (readonly unknown[])[] = [[[]], [[0]], [[5, 5, 5]], [[-3, -1, -2]]]
const textEdges: readonly (readonly unknown[])[] = [[''], ['a'], ['abcdefghijklmnopqrstuvwxyz']]
const upTo = (length: number) => Array.from({ length }, (_, i) => i + 1)
const lists = 'lists of numbers'
const texts = 'texts'

export const families: readonly ((k: number) => Problem)[] = [
  k => ({
    name: `sumMultiplesOf${k}`,
    parameters: 'values',
    request: `Returns the sum of all whole numbers in the array that are divisible by ${k}, negative ones too. The sum of none is 0.`,
    body: `  return values.filter(value => value % ${k} === 0).reduce((sum, value) => sum + value, 0)`,
    wrongBody: `  return values.filter(value => value > 0 && value % ${k} === 0).reduce((sum, value) => sum + value, 0)`,
    arguments: draw => [integers(draw, [1, 9], -30, 60)],
    edges: [...listEdges, [[-k, 2 * k, -3 * k]]],
    topic: lists,
  }),
  k => ({
    name: `sortByRemainder${k}`,
    parameters: 'values',
    request: `Returns the numbers sorted by their remainder when divided by ${k}, smallest first; a remainder is never negative, so that of -1 is ${k - 1}. Equal remainders are sorted by value. The array itself stays as it is.`,
    body: `  const rest = value => ((value % ${k}) + ${k}) % ${k}\n  return [...values].sort((a, b) => rest(a) - rest(b) || a - b)`,
    wrongBody: `  return [...values].sort((a, b) => (a % ${k}) - (b % ${k}) || a - b)`,
    arguments: draw => [integers(draw, [3, 9], -20, 40)],
    edges: [...listEdges, [[0, -1]], [[10, 9, -1, k]]],
    topic: lists,
  }),
  k => ({
    name: `rotateLeftBy${k + 1}`,
    parameters: 'values',
    request: `Returns the array rotated to the left by ${k + 1} places: what falls out in front comes back at the end, also when the array is shorter than that.`,
    body: `  const places = values.length === 0 ? 0 : ${k + 1} % values.length\n  return [...values.slice(places), ...values.slice(0, places)]`,
    wrongBody: `  return [...values.slice(${k + 1}), ...values.slice(0, ${k + 1})]`,
    arguments: draw => [integers(draw, [k, 14], -9, 9)],
    edges: [...listEdges, [upTo(k)], [upTo(k + 1)], [upTo(k + 2)]],
    topic: lists,
  }),
  k => ({
    name: `piecesOf${k}`,
    parameters: 'values',
    request: `Splits the array into pieces of ${k} items, in order. The last piece may be shorter. An empty array has no pieces.`,
    body: `  return Array.from({ length: Math.ceil(values.length / ${k}) }, (_, i) => values.slice(i * ${k}, (i + 1) * ${k}))`,
    wrongBody: `  return Array.from({ length: Math.floor(values.length / ${k}) }, (_, i) => values.slice(i * ${k}, (i + 1) * ${k}))`,
    arguments: draw => [integers(draw, [k, 24], 0, 9)],
    edges: [...listEdges, [upTo(k)], [upTo(k + 1)], [upTo(2 * k)]],
    topic: lists,
  }),
  k => ({
    name: `largestSumOf${k}Neighbours`,
    parameters: 'values',
    request: `Returns the largest sum of ${k} neighbouring items, or null if there are fewer than ${k}.`,
    body: `  let best = null\n  for (let i = 0; i + ${k} <= values.length; i++) {\n    const sum = values.slice(i, i + ${k}).reduce((a, b) => a + b, 0)\n    if (best === null || sum > best) best = sum\n  }\n  return best`,
    wrongBody: `  if (values.length < ${k}) return null\n  let best = 0\n  for (let i = 0; i + ${k} <= values.length; i++) best = Math.max(best, values.slice(i, i + ${k}).reduce((a, b) => a + b, 0))\n  return best`,
    arguments: draw => [integers(draw, [k, 14], -20, 20)],
    edges: [...listEdges, [upTo(12).map(value => -value)], [upTo(k)]],
    topic: lists,
  }),
  k => ({
    name: `smallestNumber${k}`,
    parameters: 'values',
    request: `Returns the number that comes at place ${k} when the different numbers of the array are counted from the smallest on, or null if there are fewer than ${k} different ones.`,
    body: `  const sorted = [...new Set(values)].sort((a, b) => a - b)\n  return sorted[${k - 1}] ?? null`,
    wrongBody: `  const sorted = [...new Set(values)].sort()\n  return sorted[${k - 1}] ?? null`,
    arguments: draw => [integers(draw, [k, 16], -20, 120)],
    edges: [...listEdges, [upTo(12)], [upTo(k - 1)]],
    topic: lists,
  }),
  k => ({
    name: `clampTo${5 * k}`,
    parameters: 'values',
    request: `Returns the numbers with those above ${5 * k} replaced by ${5 * k} and those below -${5 * k} replaced by -${5 * k}.`,
    body: `  return values.map(value => Math.max(-${5 * k}, Math.min(${5 * k}, value)))`,
    wrongBody: `  return values.map(value => Math.min(${5 * k}, value))`,
    arguments: draw => [integers(draw, [2, 10], -70, 70)],
    edges: [...listEdges, [[-5 * k, 5 * k]], [[-5 * k - 1, 5 * k + 1]]],
    topic: lists,
  }),
  k => ({
    name: `runsOfAtLeast${k}`,
    parameters: 'values',
    request: `Splits the array into runs of equal neighbouring items. For each run of at least ${k} items gives [item, length], in order.`,
    body: `  const runs = []\n  for (const value of values) {\n    const last = runs.at(-1)\n    if (last && last[0] === value) last[1]++\n    else runs.push([value, 1])\n  }\n  return runs.filter(run => run[1] >= ${k})`,
    wrongBody: `  return [...new Set(values)].map(value => [value, values.filter(other => other === value).length]).filter(run => run[1] >= ${k})`,
    arguments: draw => [integers(draw, [4, 20], 0, 1)],
    edges: [...listEdges, [[...Array.from({ length: k }, () => 1), 2, ...Array.from({ length: k }, () => 1)]]],
    topic: lists,
  }),
  k => ({
    name: `countWordsOf${k}`,
    parameters: 'text',
    request: `Counts the words of at least ${k} characters. Words are separated by one space; an empty text has none.`,
    body: `  return text.split(' ').filter(word => word.length >= ${k}).length`,
    wrongBody: `  return text.split(' ').filter(word => word.length > ${k}).length`,
    arguments: draw => [wordsFrom(draw, [1, 9]).join(' ')],
    edges: [...textEdges, ['x'.repeat(k)], [`${'x'.repeat(k)} ${'y'.repeat(k - 1)}`]],
    topic: texts,
  }),
  k => ({
    name: `raiseEvery${k}`,
    parameters: 'text',
    request: `Returns the text with the characters at places ${k}, ${2 * k}, ${3 * k} and so on in upper case. The first character has place 1.`,
    body: `  return [...text].map((letter, i) => ((i + 1) % ${k} === 0 ? letter.toUpperCase() : letter)).join('')`,
    wrongBody: `  return [...text].map((letter, i) => (i % ${k} === 0 ? letter.toUpperCase() : letter)).join('')`,
    arguments: draw => [wordsFrom(draw, [2, 6]).join('')],
    edges: textEdges,
    topic: texts,
  }),
  k => ({
    name: `countByLengthModulo${k}`,
    parameters: 'words',
    request: `Counts the words by the remainder of their length when divided by ${k}: an object with the remainders that occur as keys. A word that occurs twice counts twice.`,
    body: `  const counts = {}\n  for (const word of words) counts[word.length % ${k}] = (counts[word.length % ${k}] ?? 0) + 1\n  return counts`,
    wrongBody: `  const counts = {}\n  for (const word of new Set(words)) counts[word.length % ${k}] = (counts[word.length % ${k}] ?? 0) + 1\n  return counts`,
    arguments: draw => [wordsFrom(draw, [1, 10])],
    edges: [[[]], [['']], [['aa', 'aa']], [['a', 'bb', 'ccc', 'a']]],
    topic: texts,
  }),
  k => ({
    name: `digitSumInBase${k}`,
    parameters: 'number',
    request: `Returns the sum of the digits of a whole number written in base ${k}. The sign does not matter.`,
    body: `  let rest = Math.abs(number)\n  let sum = 0\n  for (; rest > 0; rest = Math.floor(rest / ${k})) sum += rest % ${k}\n  return sum`,
    wrongBody: `  let sum = 0\n  for (let rest = number; rest > 0; rest = Math.floor(rest / ${k})) sum += rest % ${k}\n  return sum`,
    arguments: draw => [draw.int(0, 100_000)],
    edges: [[0], [1], [k], [k - 1], [-k - 1]],
    topic: 'numbers',
  }),
]
