import { expect, test } from 'vitest'
import { matchesLeniently } from '../../../src/lib/lenient-match.ts'

test.each([
  ['Paris.', 'paris', true],
  ['the Eiffel Tower', 'Eiffel tower', true],
  ['It is Paris', 'Paris', true],
  ['It is not Paris', 'Paris', false],
  ['Lyon', 'Paris', false],
  ['$1,560.00', '1560', true],
  ['1,560 dollars', '1560', true],
  ['1560 of 3000', '1560', false],
  ['−5', '-5', true],
  ['5', '-5', false],
  ['0.50', '.5', false],
  ['50 %', '50', true],
  ['B', 'A', false],
  ['(A)', 'A', true],
  ['an answer', 'A', false],
  ['anything', '', false],
])('%j against %j is %j', (answer, target, expected) => expect(matchesLeniently(answer, target)).toBe(expected))
