import type { BodyExamples } from '../body-examples.ts'
import type { worldsEndpoints } from './worlds.endpoints.ts'

const definition = {
  title: 'Light switches',
  instructions: 'You control the lights of a house.',
  tools: [
    {
      name: 'switch_light',
      description: 'Switches the light of a room on or off.',
      parameters: {
        type: 'object',
        properties: { room: { type: 'string' }, on: { type: 'boolean' } },
        required: ['room', 'on'],
        additionalProperties: false,
      },
      behavior: {
        kind: 'function' as const,
        source:
          '(state, { room, on }) => room in state.lights ? { state: { lights: { ...state.lights, [room]: on } }, result: "ok" } : { state, error: "no such room" }',
      },
    },
  ],
  limits: { turns: 4 },
  tasks: [
    {
      id: 'kitchen-on',
      messages: [{ role: 'user' as const, content: 'Turn on the light in the kitchen, please.' }],
      initial_state: { lights: { kitchen: false, hall: true } },
      expected: { state: { lights: { kitchen: true, hall: true } } },
      reference: { calls: [{ name: 'switch_light', arguments: { room: 'kitchen', on: true } }], answer: 'The light is on.' },
    },
  ],
}

export const worldsExamples: BodyExamples<typeof worldsEndpoints> = {
  createEnvironment: { slug: 'light-switches', ...definition },
  draftEnvironment: { trace_ids: ['0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e09'] },
  startEnvironmentDraft: { trace_ids: ['0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e09'], title: 'Customer desk' },
  attackEnvironment: { attacks: ['tool_result', 'secret_bait'] },
  attackDataset: { version_id: '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e09', attacks: ['document', 'secret_bait'] },
  rewriteAttacks: {
    model: { model: { kind: 'connection', connection_id: '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e09' } },
    count: 2,
    max_charge_microusd: '100000',
  },
  checkEnvironment: { definition },
  tryEnvironment: {
    definition,
    task_id: 'kitchen-on',
    moves: [{ calls: [{ name: 'switch_light', arguments: { room: 'kitchen', on: true } }] }, { answer: 'The light is on.' }],
  },
}
