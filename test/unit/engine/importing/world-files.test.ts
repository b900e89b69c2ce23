import { expect, test } from 'vitest'
import { worldsOfFiles } from '../../../../src/engine/importing/worlds/world-files.ts'

const deep = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)

test('what is nested too deep is left out by name, before it exhausts the stack', () => {
  const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: deep(100) } } }]
  const config = {
    prompts: ['Answer {{q}}.'],
    providers: [{ id: 'openai:gpt-5-mini', config: { tools } }],
    tests: [{ vars: { q: 1 }, assert: [{ type: 'contains', value: 'x' }] }],
  }
  const shown = worldsOfFiles('Desk', [{ name: 'promptfooconfig.yaml', bytes: Buffer.from(JSON.stringify(config)) }], {
    user_model: { model: { kind: 'managed', route_id: 'assay/echo' }, effort: null, temperature: 0, max_charge_microusd: null },
  })
  expect(shown.worlds).toEqual([])
  expect(shown.left).toContainEqual({ id: null, name: 'Desk', reason: 'is nested deeper than 64 levels.' })

  const messages = [
    { role: 'user', content: 'Which?' },
    { role: 'assistant', content: 'This.' },
  ]
  const lines = [{ messages, deep: deep(100) }, { messages }].map(each => JSON.stringify(each)).join('\n')
  const { worlds, left } = worldsOfFiles('Chats', [{ name: 'chats.jsonl', bytes: Buffer.from(lines) }], {})
  expect(worlds.map(({ definition }) => definition.tasks.length)).toEqual([1])
  expect(left).toEqual([{ id: null, name: 'chats.jsonl:1', reason: 'is nested deeper than 64 levels.' }])
})
