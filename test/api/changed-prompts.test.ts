import { afterAll, beforeAll, expect, test } from 'vitest'
import { ExecutionSettings, type QuoteRequest } from '../../src/contract/quotes/quotes.schemas.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let profile: string
beforeAll(async () => {
  service = await startTestService()
  profile = await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')
})
afterAll(() => service.close())

const coverage = { mode: 'sample', sample_count: 3, seed: 1 } as const
const model = { kind: 'managed', route_id: 'assay/oracle-75' } as const
const ask = (execution: Partial<QuoteRequest['execution']>, profiles = [profile]) =>
  quote(service.client, { model, profiles, coverage, execution })
const firstExample = async (id: string) => (await service.client.call('getQuoteExamples', { params: { quote_id: id } })).items[0]?.messages
const refusal = (execution: QuoteRequest['execution'], profile_ids = [profile]) =>
  service.client.refusal('createQuote', { body: { model, selection: { profile_ids }, coverage, max_charge_microusd: '0', execution } })

test('a system prompt, a template and stop sequences of the run are shown before, sent, recorded, and have a digest of their own', async () => {
  const { client, baseUrl } = service
  const usual = await ask({})
  const changed = await ask({ system_prompt: 'Answer as a pirate.', prompt_template: 'Q: {question}\nA:', stop: ['###'] })
  expect(changed.profiles[0]).toMatchObject({ profile_id: profile, generation: { stop: ['###'] } })
  expect(changed.profiles[0]?.changed).toEqual(['system prompt', 'prompt template', 'stop sequences'])
  expect(changed.profiles[0]?.prompt_digest).not.toBe(usual.profiles[0]?.prompt_digest)
  const [system, user] = (await firstExample(changed.id)) ?? []
  expect(system).toEqual({ role: 'system', content: 'Answer as a pirate.' })
  expect(user?.content).toMatch(/^Q: .+\nA:$/s)

  const run = await runToEnd(client, baseUrl, (await submit(client, changed.id)).id)
  const { items } = await client.call('listSamples', { params: { run_id: run.id } })
  const { messages } = await client.call('getSample', { params: { run_id: run.id, sample_id: items[0]?.id ?? '' } })
  expect(messages[0]).toEqual(system)
  const { reproducibility } = await client.call('getRunResults', { params: { run_id: run.id } })
  expect(reproducibility.execution).toMatchObject({ system_prompt: 'Answer as a pirate.', stop: ['###'] })

  // Another way of asking is another row.
  await runToEnd(client, baseUrl, (await submit(client, usual.id)).id)
  const { entries } = await client.call('getLeaderboard', {})
  expect(new Set(entries.filter(entry => entry.profile_id === profile).map(({ basis }) => basis.prompt)).size).toBe(2)
})

test('what is changed and then changed back is the profile’s own prompt; an empty system prompt sends none', async () => {
  const own = await service.client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })
  const { prompt_template, prompt_digest } = own.profiles.find(({ id }) => id === profile) ?? {}
  expect((await ask({ prompt_template: prompt_template ?? '' })).profiles[0]?.prompt_digest).toBe(prompt_digest)
  const quoted = await ask({ system_prompt: '' })
  expect(((await firstExample(quoted.id)) ?? []).map(({ role }) => role)).not.toContain('system')
})

test('a template that shows nothing of the task, one for two profiles, and a prompt for an environment are refused at their field', async () => {
  const { client } = service
  const settings = (change: object) => ({ ...QuoteDefaults, ...change })
  expect(await refusal(settings({ prompt_template: 'Say something.' }))).toMatchObject({
    status: 422,
    message: expect.stringContaining('put {question} where it goes'),
  })
  const other = (await client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })).profiles.find(
    ({ id }) => id !== profile,
  )
  expect((await refusal(settings({ prompt_template: '{question}' }), [profile, other?.id ?? ''])).message).toContain('and 2 are chosen')
})

test('a score under changed settings says what was changed and is not pooled with the profile’s own, nor with another change', async () => {
  const { client, baseUrl } = service
  const { generation } = (await client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })).profiles.find(
    ({ id }) => id === profile,
  ) ?? { generation: null }
  const own = await ask({ temperature: generation?.temperature ?? 'none', max_output_tokens: generation?.max_output_tokens ?? null })
  expect(own.profiles[0]).not.toHaveProperty('changed')
  const changed = await ask({ temperature: 0.7, effort: null, stop: ['###'] })
  expect(changed.profiles[0]?.changed).toEqual(['temperature 0.7', 'stop sequences'])
  const again = await ask({ temperature: 0.7, stop: ['###'] })
  const usual = await runToEnd(client, baseUrl, (await submit(client, own.id)).id)
  const first = await runToEnd(client, baseUrl, (await submit(client, changed.id)).id)
  const second = await runToEnd(client, baseUrl, (await submit(client, again.id)).id)
  const { entries } = await client.call('getLeaderboard', {})
  const shown = (id: string) => entries.find(entry => entry.run_id === id)
  expect(shown(second.id)).toMatchObject({
    changed: ['temperature 0.7', 'stop sequences'],
    basis: { settings: 'temperature 0.7, stop sequences' },
  })
  expect(shown(first.id)).toBeUndefined()
  expect(shown(usual.id)).not.toHaveProperty('changed')
  expect(usual.profiles[0]).not.toHaveProperty('changed')
  expect(first.profiles[0]?.changed).toEqual(['temperature 0.7', 'stop sequences'])
})

const QuoteDefaults = ExecutionSettings.parse({})
