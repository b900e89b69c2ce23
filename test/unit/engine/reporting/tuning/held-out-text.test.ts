import { describe, expect, test } from 'vitest'
import { quotedText } from '../../../../../src/engine/reporting/tuning/held-out-text.ts'

const heldOut = ['A train leaves Bern at nine and travels eighty kilometers an hour. When is it in Basel?', 'What is 17 times 23?', 'yes']
const training = ['A train leaves Bern at ten. How far has it come at noon?']

describe('a proposed prompt', () => {
  test.each([
    ['Answer with a number. {input}', -1],
    ['For example: a train leaves BERN at nine,\nand travels eighty kilometers an hour → 10:15. {input}', 0],
    ['Ｔrain leaves Bern at nine and travels eighty kilometers. {input}', 0],
    ['If it asks “What is 17 times 23?” say 391. {input}', 1],
    ['What is 17 times 2? {input}', -1],
    ['Say yes or no. {input}', -1],
    ['A train leaves Bern at ten. How far has it come at noon? 160 km. {input}', -1],
    ['A train leaves Bern, and you say when it is in Basel. {input}', -1],
  ])('%j quotes the held-out text %i', (proposal, position) => {
    expect(quotedText(proposal, heldOut, training)).toBe(position)
  })

  test('may repeat what the first prompt said, though a held-out text says it too', () => {
    const prompt = 'What is 17 times 23? is an example of a question. {input}'
    expect(quotedText(`${prompt} Think.`, heldOut, [prompt])).toBe(-1)
  })

  test('is read in time that grows with its length alone', () => {
    const long = 'a b '.repeat(100_000)
    expect(quotedText(long, [long.slice(0, 1000), ...heldOut], [])).toBe(0)
  })
})
