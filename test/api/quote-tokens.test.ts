import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/storage/database.ts'
import { profileId, quote } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const stored = () => {
  const db = openDatabase(join(service.dataDir, 'assay.db'))
  return { db, [Symbol.dispose]: () => db.close() }
}

async function inputTokens(profile: string, samples: number | null): Promise<number> {
  const { counts } = await quote(service.client, {
    model: { kind: 'managed', route_id: 'assay/oracle-75' },
    profiles: [profile],
    coverage: samples === null ? { mode: 'full' } : { mode: 'sample', sample_count: samples, seed: 1 },
  })
  return counts.input_tokens
}

test('a quote counts each prompt once, and later quotes read the counts', async () => {
  const profile = await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')
  const first = await inputTokens(profile, 20)
  using data = stored()
  const kept = Object(data.db.prepare('select count(*) as n, sum(tokens) as tokens from prompt_tokens').get())
  expect(kept).toEqual({ n: 20, tokens: first })
  expect(await inputTokens(profile, 20)).toBe(first)
  // What is stored is what is used: nothing was counted again.
  data.db.prepare('update prompt_tokens set tokens = tokens + 1000').run()
  expect(await inputTokens(profile, 20)).toBe(first + 20_000)
  // Only the others are counted.
  await inputTokens(profile, null)
  const all = Object(data.db.prepare('select count(*) as n, sum(tokens > 1000) as changed from prompt_tokens').get())
  expect(all.n).toBeGreaterThan(20)
  expect(all.changed).toBe(20)
})

test('another recipe of the same tasks is counted by itself', async () => {
  const profiles = (await service.client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })).profiles
  const [one, other] = profiles
  if (!one || !other) throw new Error('The benchmark has too few profiles.')
  await inputTokens(one.id, 5)
  await inputTokens(other.id, 5)
  using data = stored()
  expect(Object(data.db.prepare('select count(distinct recipe) as n from prompt_tokens').get())).toEqual({ n: 2 })
})

test('counts go with their tasks', () => {
  using data = stored()
  data.db.prepare('delete from quotes').run()
  expect(data.db.prepare('select 1 from prompt_tokens').get()).toBeDefined()
  const no = Number(Object(data.db.prepare('select min(task_no) as no from prompt_tokens').get()).no)
  data.db.prepare('delete from tasks where no = ?').run(no)
  expect(data.db.prepare('select 1 from prompt_tokens where task_no = ?').get(no)).toBeUndefined()
})
