import { expect, test } from 'vitest'
import { readInspectLogs } from '../../../../src/engine/importing/answers/read-inspect-log.ts'
import { readPromptfooResults } from '../../../../src/engine/importing/answers/read-promptfoo-results.ts'
import { MediaIntake } from '../../../../src/engine/importing/media/media-intake.ts'
import { RemoteMedia } from '../../../../src/engine/importing/media/remote-media.ts'

const intake = () => new MediaIntake({ remote: new RemoteMedia({ leavesOut: true }) })
const fileOf = (name: string, value: object) => ({ name, bytes: Buffer.from(JSON.stringify(value)) })
/** Shows a file at an address, and then one that is nowhere, at which reading ends. */
const unreadable = (type: 'image' | 'image_url') => {
  const show = (url: string) => ({ type, [type]: type === 'image' ? url : { url } })
  return [{ role: 'user', content: [show('https://pictures.example/a.png'), show('nowhere.png')] }]
}
const fine = [{ role: 'user', content: 'Fine?' }]

test.each(['input', 'messages'])('a sample of Inspect is not left out for a file that the %s of the one before names', field => {
  const answered = { role: 'assistant', content: 'yes', source: 'generate' }
  const sampleOf = (id: string, asked: readonly object[]) => ({
    id,
    epoch: 1,
    input: field === 'input' ? asked : 'What is it?',
    ...(field === 'messages' && { messages: [...asked, answered] }),
    target: 'yes',
    output: { choices: [{ message: answered, stop_reason: 'stop' }] },
    scores: { match: { value: 'C' } },
  })
  const samples = [sampleOf('bad', unreadable('image')), sampleOf('good', fine), sampleOf('other', fine)]
  const file = fileOf('log.json', { eval: { task: 't', model: 'm', scorers: [{ name: 'match' }] }, samples })
  const [log] = readInspectLogs([file], intake())
  expect(log?.tasks.map(({ id }) => id)).toEqual(['good', 'other'])
  expect(log?.warnings.filter(text => text.includes('the sample'))).toEqual([expect.stringMatching(/the sample "bad": .*nowhere\.png/)])
})

test('a prompt of promptfoo is not asked as text for a file that the one before names', () => {
  const results = [unreadable('image_url'), fine].map((asked, testIdx) => ({
    testIdx,
    promptIdx: 0,
    provider: { id: 'm' },
    prompt: { raw: JSON.stringify(asked), label: 'p' },
    response: { output: 'yes' },
    success: true,
  }))
  const { tasks, warnings } = readPromptfooResults(fileOf('r.json', { evalId: 'e', results: { version: 3, results } }), intake())
  expect(tasks.map(({ fields }) => fields['prompt_1'])).toEqual([JSON.stringify(unreadable('image_url')), 'Fine?'])
  expect(warnings).toContainEqual(expect.stringContaining('One prompt is a list of messages that cannot be asked'))
})
