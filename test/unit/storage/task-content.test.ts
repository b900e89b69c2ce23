import { expect, test } from 'vitest'
import { decodeTask, encodeTask, type StoredTask } from '../../../src/storage/task-content.ts'

const task = (text: string): StoredTask => ({
  id: 'task-1',
  split: 'test',
  fields: { question: text },
  targets: ['42'],
  choices: null,
  metadata: { level: 2 },
  capabilities: ['arithmetic'],
  dependsOn: [],
})

test.each([
  ['short', 'What is 6 × 7? 🦉', 0x7b],
  ['long', 'Long story. '.repeat(200), 0x28],
])('a %s task reads as it was written', (_, text, firstByte) => {
  const content = encodeTask(task(text))
  expect(content[0]).toBe(firstByte)
  expect(decodeTask(new Uint8Array(content))).toEqual(task(text))
})
