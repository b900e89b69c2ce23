import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { promptfooWorld } from '../../../../src/engine/importing/worlds/promptfoo-worlds.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const player = { model: { kind: 'managed' as const, route_id: 'assay/echo' }, effort: null, temperature: 0 }

function worldOf(...lines: readonly string[]) {
  const folder = temporaryFolder()
  try {
    const path = join(folder.path, 'config')
    writeFileSync(path, ['prompts: ["Help the customer."]', ...lines].join('\n'))
    const roles = { user_model: { ...player, max_charge_microusd: null } }
    return promptfooWorld('Desk', { name: 'promptfooconfig.yaml', path, role: 'tasks' }, [], roles)
  } finally {
    folder.remove()
  }
}
const asked = (provider: string, name = 'Mia') =>
  `  - {vars: {instructions: "You are ${name}."}, provider: ${provider}, assert: [{type: contains, value: booked}]}`

test('parts of prompts that only their provider can read are named', () => {
  const folder = temporaryFolder()
  try {
    const path = join(folder.path, 'config')
    const prompt = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hi' },
          { type: 'data', data: {} },
        ],
      },
    ]
    const tests = [{ assert: [{ type: 'contains', value: 'x' }] }]
    writeFileSync(path, JSON.stringify({ prompts: [JSON.stringify(prompt)], tests }))
    const { definition, left } = promptfooWorld('Desk', { name: 'promptfooconfig.yaml', path, role: 'tasks' }, [], {})
    expect(definition.tasks[0]?.messages).toEqual([{ role: 'user', content: 'Hi' }])
    expect(left).toEqual(['test 1: of its prompt, one part of the type "data", which only their provider can read, was left out'])
  } finally {
    folder.remove()
  }
})

describe('a simulated user of promptfoo', () => {
  test('is played by a model, named as an object or by its id alone', () => {
    const { definition, left } = worldOf('defaultTest: {provider: "promptfoo:simulated-user"}', 'tests:', asked('null'))
    expect(left).toEqual([])
    expect(definition.limits.turns).toBe(10)
    expect(definition.tasks[0]).toMatchObject({
      messages: [
        { role: 'system', content: 'Help the customer.' },
        { role: 'user', content: 'Hello.' },
      ],
      user: { kind: 'model', goal: 'You are Mia.' },
    })
  })

  test('that has fewer turns than another is named', () => {
    const { definition, left } = worldOf(
      'tests:',
      asked('{id: "promptfoo:simulated-user", config: {maxTurns: 3}}'),
      asked('{id: "promptfoo:simulated-user", config: {maxTurns: 6, instructions: "{{instructions}} Be brief."}}', 'Bob'),
    )
    expect(definition.limits.turns).toBe(6)
    expect(definition.tasks[1]?.user).toMatchObject({ goal: 'You are Bob. Be brief.' })
    expect(left).toEqual(['test 1: its conversation ends after 3 turns; here all may have 6'])
  })

  test('and other providers are named where they cannot be taken', () => {
    const { definition, left } = worldOf(
      'tests:',
      asked('{id: "promptfoo:simulated-user", config: {maxTurns: many}}'),
      asked('"promptfoo:redteam:mischievous-user"'),
      asked('"openai:gpt-5"'),
    )
    expect(definition.tasks.map(({ id, user }) => [id, user.kind])).toEqual([['test 3', 'none']])
    expect(left).toEqual([
      'test 1: of its simulated user, "maxTurns" must be a number',
      'test 2: "promptfoo:redteam:mischievous-user" is a user whose words a program of promptfoo makes, which is not imported',
      'test 3: the provider "openai:gpt-5" of the test is not imported: the model of a run is asked',
    ])
  })
})
