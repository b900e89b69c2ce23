import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Run } from '../../src/contract/runs/runs.schemas.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { compileCpuMs, heavySchema } from '../support/heavy-schema.ts'
import { longestTurnCpuMs } from '../support/longest-turn.ts'
import { profileId } from '../support/runs.ts'
import { scriptedRun } from '../support/scripted-run.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let profile: string
let run: Run
let metric: string

beforeAll(async () => {
  service = await startTestService()
  profile = await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')
  const ended = await scriptedRun(service, profile, { samples: 2 })
  await ended.models.close()
  run = ended.run
  metric = run.profiles[0]?.metrics.find(({ primary }) => primary)?.id ?? ''
})
afterAll(() => service.close())

const read = () => service.client.call('getRun', { params: { run_id: run.id } })
const by = (scorer: string, options: Record<string, unknown>) => ({ metrics: [{ profile_id: profile, metric, scorer, options }] })
const regrades = async () => (await service.client.call('listJobs', { query: { kind: 'regrade' } })).items.length

test('a regrade by a schema that takes long to compile holds up no other request', async () => {
  const longest = await longestTurnCpuMs(async () => {
    // On a busy machine the thread that compiles it is ended by its deadline, which refuses the regrade.
    await service.client
      .call('regradeRun', { params: { run_id: run.id }, body: by('assay/json_schema', { schema: heavySchema() }) })
      .catch((error: unknown) => expect(String(error)).toContain('took longer than'))
  })
  expect(longest).toBeLessThan((await compileCpuMs()) / 2)
  await expect.poll(async () => (await read()).regrade).toBeNull()
})

test('a regrade whose stored options its scorer refuses by now is refused with the reason, and begins nothing', async () => {
  const body = by('inspect_ai/pattern', { pattern: 'I (would)' })
  await service.client.call('regradeRun', { params: { run_id: run.id }, body })
  await expect.poll(async () => (await read()).regrade).toBeNull()
  await service.restart(() => {
    const db = openDatabase(join(service.dataDir, 'assay.db'))
    // As an earlier version of the scorer took them.
    db.prepare(
      `update runs set regraded_profiles =
         replace(replace(regraded_profiles, '"pattern":"I', '"greedy":true,"pattern":"I'), '"scorer_version":1,', '"scorer_version":0,') where id = ?`,
    ).run(run.id)
    db.close()
  })
  const [before, begun] = [await read(), await regrades()]
  const refuse = (wish: object) => service.client.refusal('regradeRun', { params: { run_id: run.id }, body: wish })
  const refusal = { status: 422, code: 'validation_error', message: expect.stringContaining('greedy') }
  expect(await refuse({})).toMatchObject({ ...refusal, message: expect.stringMatching(`${metric} of ${profile}.*greedy`) })
  expect(await refuse({ metrics: [{ profile_id: profile, metric }] })).toMatchObject(refusal)
  expect(await read()).toEqual(before)
  expect(await regrades()).toBe(begun)
  expect(await service.client.call('regradeRun', { params: { run_id: run.id }, body })).toMatchObject({
    regrade: { result_version: (before.result_version ?? 0) + 1 },
  })
})
