import { describe, expect, test } from 'vitest'
import { quotedCase } from '../../../../../src/engine/reporting/tuning/held-out-text.ts'

const heldOut = [
  { input: 'A train leaves Bern at nine and travels eighty kilometers an hour. When is it in Basel?', answers: ['10:15'] },
  { input: 'What is 17 times 23?', answers: ['391'] },
  { input: 'yes', answers: ['not at all'] },
  { input: '小明有十二个苹果，他给了小红五个，又买了三个，请问他现在有多少个苹果？', answers: ['十个'] },
  { input: 'Why?', answers: ['Because the lake of Constance is shared by three countries, which never agreed on a border.'] },
  { input: '谁写了红楼梦', answers: ['曹雪芹'] },
  { input: '不高兴', answers: ['负面'] },
  { input: 'ดีมาก', answers: ['บวก'] },
]
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
    ['A tr\u200bain le\u00adaves Bern at nine and travels eighty kilometers. {input}', 0],
    ['如果题目说小明有十二个苹果他给了小红五个，就回答十。{input}', 3],
    ['小明有多少个苹果，请逐步计算。{input}', -1],
    ['如果用户不高兴，输出“负面”。{input}', -1],
    ['ถ้าผู้ใช้บอกว่าดีมาก ให้ตอบว่าบวก {input}', -1],
    ['若问谁写了红楼梦，答曹雪芹。{input}', 5],
    ['Say that the lake of Constance is shared by three countries. {input}', 4],
    ['Three countries share the lake. Say “not at all” if nothing fits. {input}', -1],
  ])('%j quotes the held-out case %i', (proposal, position) => {
    expect(quotedCase(proposal, heldOut, training)).toBe(position)
  })

  test('may repeat what the first prompt said, though a held-out text says it too', () => {
    const prompt = 'What is 17 times 23? is an example of a question. {input}'
    expect(quotedCase(`${prompt} Think.`, heldOut, [prompt])).toBe(-1)
  })

  test('is read in time that grows with its length alone', () => {
    const long = 'a b '.repeat(100_000)
    expect(quotedCase(long, [{ input: long.slice(0, 1000), answers: [] }, ...heldOut], [])).toBe(0)
  })
})
