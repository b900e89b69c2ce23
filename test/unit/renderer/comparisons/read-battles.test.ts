import { expect, test } from 'vitest'
import { readBattles } from '../../../../src/renderer/comparisons/read-battles.ts'

test.each([
  ['CSV', 'model_a,model_b,winner,tokens_a,tokens_b\n"a, b",c,model_a,10,20\nc,"a, b",tie (bothbad),5,6\n'],
  [
    'a list of JSON',
    '[{"model_a": "a, b", "model_b": "c", "winner": "a, b", "tokens_a": 10, "tokens_b": 20}, {"model_a": "c", "model_b": "a, b", "winner": "tie", "tokens_a": 5, "tokens_b": 6}]',
  ],
  [
    'lines of JSON',
    '{"model_a": "a, b", "model_b": "c", "winner": "model_a", "tokens_a": 10, "tokens_b": 20}\n{"model_a": "c", "model_b": "a, b", "winner": "tie", "tokens_a": 5, "tokens_b": 6}\n',
  ],
])('reads battles with their style from %s', (_, text) => {
  expect(readBattles(text)).toEqual([
    { model_a: 'a, b', model_b: 'c', winner: 'model_a', style: { tokens: [10, 20] } },
    { model_a: 'c', model_b: 'a, b', winner: 'tie', style: { tokens: [5, 6] } },
  ])
})

test('names the row that is not a battle', () => {
  expect(() => readBattles('model_a,model_b,winner\na,b,model_a\na,b,nobody\n')).toThrow(/^Row 2 is not a battle.*not "nobody"/)
  expect(() => readBattles('model_a,model_b,winner\na,b,model_a\n')).toThrow(/fewer than two battles/)
})
