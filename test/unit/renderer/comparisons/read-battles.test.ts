import { expect, test } from 'vitest'
import { battlesToSend, readBattles } from '../../../../src/renderer/comparisons/read-battles.ts'

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
  expect(() => readBattles('model_a,model_b,winner\na,b,model_a\na,b,nobody\n')).toThrow(/^Line 3 is not a battle.*not "nobody"/)
  expect(() => readBattles('model_a,model_b,winner\na,b,model_a\n')).toThrow(/fewer than two battles/)
})

test('reads a column for each outcome, and both answers bad as a tie', () => {
  const text = 'model_a,model_b,winner_model_a,winner_model_b,winner_tie\na,b,0,1,0\na,b,0,0,1\n'
  expect(readBattles(text).map(({ winner }) => winner)).toEqual(['model_b', 'tie'])
  expect(readBattles('model_a,model_b,winner\na,b,both_bad\nb,a,model_a\n')[0]?.winner).toBe('tie')
})

test('sends more battles than a request holds as rows with their number, unless their order or style counts', () => {
  const battles = Array.from({ length: 60_000 }, (_, i) => ({
    model_a: 'a',
    model_b: 'b',
    winner: i % 3 === 0 ? ('tie' as const) : ('model_a' as const),
  }))
  expect(battlesToSend(battles, false)).toEqual([
    { model_a: 'a', model_b: 'b', winner: 'tie', times: 20_000 },
    { model_a: 'a', model_b: 'b', winner: 'model_a', times: 40_000 },
  ])
  expect(() => battlesToSend(battles, true)).toThrow('At most 50,000 battles are ranked by Elo or with style control')
  expect(battlesToSend(battles.slice(0, 10), true)).toHaveLength(10)
})

test.each([
  ['CSV with texts over several lines', 'model_a,model_b,winner,note\na,b,model_a,"x\ny"\n\na,b,c,z\n', 'Line 5 is not a battle'],
  ['CSV with a row of other columns', 'model_a,model_b,winner\na,b,model_a\na,b\n', 'Line 3 is not a row of CSV'],
  ['lines of JSON', '{"model_a": "a", "model_b": "b", "winner": "tie"}\n\n{"model_a": "a"}\n', 'Line 3 is not a battle'],
  ['lines of JSON that break off', '\n{"model_a": "a", "model_b": "b", "winner": "tie"}\n{"model_a": \n', 'Line 3: '],
  ['a list of JSON', '[{"model_a": "a", "model_b": "b", "winner": "tie"}, {"model_a": "a"}]', 'Row 2 is not a battle'],
])('names the place in %s', (_, text, place) => {
  expect(() => readBattles(text)).toThrow(place)
})

test('says what mends a file of JSON', () => {
  expect(() => readBattles('[{"model_a": }]')).toThrow('at column 14. The JSON breaks off there.')
})
