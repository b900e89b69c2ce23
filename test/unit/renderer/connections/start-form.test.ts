import { expect, test } from 'vitest'
import { AgentConnectionBody } from '../../../../src/contract/connections/connections.schemas.ts'
import type { ConnectionPreset, FoundRuntime } from '../../../../src/contract/connections/presets.schemas.ts'
import { emptyForm, readNew, readUpdate } from '../../../../src/renderer/connections/connection-form.ts'
import { fromFound, fromPreset, modelFromPreset } from '../../../../src/renderer/connections/start-form.ts'

const preset: ConnectionPreset = {
  id: 'vendor',
  title: 'Vendor',
  provider: 'vendor',
  place: 'hosted',
  protocol: 'anthropic_messages',
  base_url: 'https://vendor.example/v1',
  key: 'required',
  probes: ['tools'],
  hint: '',
  models: [],
}

test('a preset fills the form in and forgets the model and rates of the former choice', () => {
  const typed = { ...emptyForm, model: 'former', input_dollars: '9', api_key: 'kept' }
  const form = { ...typed, ...fromPreset(preset) }
  expect(form).toMatchObject({ protocol: 'anthropic_messages', base_url: 'https://vendor.example/v1', probes: ['tools'], api_key: 'kept' })
  expect([form.model, form.input_dollars]).toEqual(['', ''])
  const rates = { input_microusd_per_million: '150000', output_microusd_per_million: '600000' }
  const source = { source: 'https://vendor.example/prices', source_date: '2026-10-07', read: '2026-11-22', cache_source: null, note: null }
  const model = {
    model: 'm',
    ...rates,
    ...source,
    context_tokens: 8192,
    max_output_tokens: null,
    supports_temperature: false,
    efforts: null,
  }
  const chosen = { ...form, ...modelFromPreset(model) }
  expect(readNew(chosen)).toMatchObject({
    body: {
      protocol: 'anthropic_messages',
      probes: ['tools'],
      rates: { input_microusd_per_million: '150000', output_microusd_per_million: '600000' },
      limits: { context_tokens: 8192, max_output_tokens: null },
    },
  })
})

test('a runtime that was found fills in its address, protocol and model', () => {
  const runtime: FoundRuntime = {
    title: 'vLLM',
    protocol: 'vllm',
    base_url: 'http://127.0.0.1:8000/v1',
    needs_key: false,
    models: [{ model: 'q', context_tokens: 2048, leaves_machine: false }],
  }
  expect(fromFound(runtime, runtime.models[0] ?? null)).toMatchObject({
    name: 'vLLM: q',
    model: 'q',
    protocol: 'vllm',
    probes: ['loglikelihood'],
    context_tokens: 2048,
  })
  expect(fromFound(runtime, null)).toMatchObject({ name: 'vLLM', model: '' })
})

test('an agent has a card and no model, also when edited', () => {
  const form = {
    ...emptyForm,
    protocol: 'agent_to_agent' as const,
    name: 'Agent',
    base_url: 'https://a.example/card.json',
    model: 'ignored',
  }
  const read = readNew(form)
  if ('errors' in read) throw new Error(JSON.stringify(read.errors))
  expect(AgentConnectionBody.parse(read.body)).toMatchObject({ agent_card_url: 'https://a.example/card.json' })
  expect(read.body).not.toHaveProperty('model')
  const update = readUpdate(form)
  if ('errors' in update) throw new Error(JSON.stringify(update.errors))
  expect(Object.keys(update.body).sort()).toEqual(['base_url', 'ca_certificates', 'headers', 'limits', 'name', 'rates', 'streaming'])
  expect(readNew({ ...form, base_url: 'nonsense' })).toEqual({ errors: { base_url: expect.stringContaining('http') } })
})
