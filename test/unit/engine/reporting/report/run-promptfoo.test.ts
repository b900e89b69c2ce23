import { expect, test } from 'vitest'
import { readPromptfooResults } from '../../../../../src/engine/importing/answers/read-promptfoo-results.ts'
import { renderRunPromptfoo } from '../../../../../src/engine/reporting/exports/run-promptfoo.ts'
import { fixtureResults, fixtureSample, stream } from './run-fixture.ts'

test('a question with a file is read back from the export', async () => {
  const image = { type: 'image', media: 'a'.repeat(64) } as const
  const asked = [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, image] }] as const
  const [plain, shown] = [fixtureSample(0), { ...fixtureSample(1), messages: asked.map(one => ({ ...one, content: [...one.content] })) }]
  let text = ''
  await renderRunPromptfoo(
    fixtureResults([plain, shown]),
    () => stream([plain, shown]),
    chunk => void (text += String(chunk)),
  )
  const { tasks, warnings } = readPromptfooResults({ name: 'run.json', bytes: Buffer.from(text) })
  expect(tasks.map(({ fields }) => fields['prompt_1'])).toEqual([plain.messages.at(-1)?.content, JSON.stringify(asked)])
  expect(warnings.filter(warning => warning.includes('Left out'))).toEqual([])
})
