import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AnswerImport } from '../../src/contract/answers/answers.schemas.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { answersEnd, sendAnswers } from '../support/answers.ts'
import { connectJudge, labeledVersion, saveJudge, type ScriptedJudge, startJudge } from '../support/judging.ts'
import { type MovingClock, movingClock } from '../support/moving-clock.ts'
import { clientFor, startTestService, type TestService } from '../support/service.ts'

let service: TestService
let judge: ScriptedJudge
let clock: MovingClock
beforeAll(async () => {
  clock = movingClock()
  judge = await startJudge(() => ({ tool: { reasoning: 'ok', verdict: 'pass' } }))
  service = await startTestService({}, clock)
})
afterAll(async () => {
  await service.close()
  await judge.close()
})

test('a key whose limits do not cover the judge of a benchmark imports no answers that it would grade', async () => {
  const { client, baseUrl, workspaceId } = service
  const evaluator = await saveJudge(client, await connectJudge(client, judge, { priced: true }))
  const examples = Array.from({ length: 4 }, (_, i) => ({ input: `Question ${i}`, output: `Answer ${i}`, expected: 'x', label: 'pass' }))
  const { datasetId, versionId, exampleIds } = await labeledVersion(service, { task: 'classify', labels: ['pass', 'fail'] }, examples)
  const body = { name: 'Judged', evaluator_version_id: evaluator.id }
  const { profile_id } = await client.call('createDatasetBenchmark', { params: { dataset_id: datasetId, version_id: versionId }, body })
  const content = exampleIds.map((task_id, i) => JSON.stringify({ task_id, output: `Answer ${i}` })).join('\n')
  const elsewhere = await client.call('createWorkspace', { body: { name: 'Elsewhere' }, headers: { 'idempotency-key': 'w' } })
  const keyOf = async (more: object, owner = client) =>
    (await owner.call('createApiKey', { body: { name: 'Key', scopes: ['runs:write', 'runs:read'], ...more } })).key
  const send = async (more: object, fields: Readonly<Record<string, string>> = {}) => sendAs(await keyOf(more), fields)
  const sendAs = async (key: string, fields: Readonly<Record<string, string>> = {}, workspace = workspaceId) => {
    const { headers } = clientFor(baseUrl, key, workspace)
    const fetchAs = (path: string, init: RequestInit = {}) => fetch(`${baseUrl}${path}`, { ...init, headers })
    return sendAnswers({ client, fetch: fetchAs }, { profile_id, model: 'x', ...fields }, [{ name: 'outputs.jsonl', content }])
  }
  const db = openDatabase(join(service.dataDir, 'assay.db'), { readonly: true })
  const stored = db
    .prepare('select (select count(*) from answer_imports) + (select count(*) from jobs) + (select count(*) from runs)')
    .pluck()
  const before = stored.get()
  const refused = await send({ provider_ceiling_microusd: '1000000' })
  expect(await refused.json()).toMatchObject({
    error: {
      code: 'spend_ceiling_reached',
      message: expect.stringContaining('Ask a signed-in person to do this, or use a key without a provider spending limit.'),
    },
  })
  expect((await send({ scopes: ['runs:read'] })).status).toBe(403)
  const expired = await keyOf({ expires_at: new Date(clock.now().getTime() + 1_000).toISOString() })
  clock.advance(1_001)
  expect((await sendAs(expired)).status).toBe(401)
  const others = await keyOf({}, clientFor(baseUrl, service.file.session_token, elsewhere.id))
  expect((await sendAs(others)).status).toBe(403)
  expect((await sendAs(others, {}, elsewhere.id)).status).toBe(404)
  expect([stored.get(), judge.asked.length]).toEqual([before, 0])
  db.close()

  // A preview calls nothing.
  expect((await send({ provider_ceiling_microusd: '0' }, { dry_run: 'true' })).status).toBe(202)
  const taken = await send({})
  expect(taken.status).toBe(202)
  const { id } = AnswerImport.parse(await taken.json())
  expect(await answersEnd(service, id)).toMatchObject({ status: 'imported', rows: { matched: 4 } })
  expect(judge.asked).toHaveLength(4)
})
