import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/storage/database.ts'
import { type TestService, startTestService } from '../support/service.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { newSession } from '../support/tuning.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const create = (cases?: number) => service.client.call('createTuneSession', { body: newSession(cases) })
const patch = (session_id: string, body: Parameters<typeof service.client.call<'patchTuneDraft'>>[1]['body']) =>
  service.client.call('patchTuneDraft', { params: { session_id }, body })
const read = (session_id: string, revision?: number) =>
  service.client.call('getTuneSession', { params: { session_id }, query: { revision } })

describe('a draft of a run', () => {
  test('has its model, prompt, settings, grader and a case for every task', async () => {
    const { client } = service
    const profiles = [await profileId(client, 'arithmetic-word-problems', 'zero-shot')]
    const model = { kind: 'managed' as const, route_id: 'assay/oracle-90' }
    const { id: quoteId } = await quote(client, { model, profiles, execution: { epochs: 2, top_p: 0.9, model_seed: 42, stop: ['Q:'] } })
    const run = await runToEnd(client, service.baseUrl, (await submit(client, quoteId)).id)
    const { draft } = await client.call('createTuneSession', { body: { name: 'From a run', from_run: { run_id: run.id } } })
    const results = await client.call('getRunResults', { params: { run_id: run.id }, query: {} })
    const { frozen, epochs } = results.coverage
    expect(draft).toMatchObject({ case_count: frozen / epochs, missing: [] })
    expect(draft.call).toMatchObject({
      model: { kind: 'managed', route_id: 'assay/oracle-90' },
      parameters: { top_p: 0.9, seed: 42, stop: ['Q:'] },
    })
    const [metric] = results.reproducibility.profiles[0]?.metrics ?? []
    expect(draft.grader).toMatchObject({ scorer: metric?.scorer })
    const [first] = draft.cases
    const sample = await client.call('getSample', { params: { run_id: run.id, sample_id: first?.origin?.ref ?? '' } })
    expect(first?.expected).toEqual(sample.targets)
    const sent = sample.messages.findLast(({ role }) => role === 'user')?.content
    expect(draft.call?.prompt_template.replace('{input}', typeof first?.input === 'string' ? first.input : '')).toBe(sent)
    expect(draft.detectable_margin).toBeCloseTo((1.6448536 + 0.8416212) * Math.sqrt(0.2 / draft.case_count), 5)
  })

  test('needs a run that is there', async () => {
    const body = { name: 'None', from_run: { run_id: '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e0b' } }
    expect(await service.client.refusal('createTuneSession', { body })).toMatchObject({ status: 404 })
  })
})

describe('a draft', () => {
  test('is created whole, with the digest of each origin’s content', async () => {
    const session = await create()
    expect(session).toMatchObject({ status: 'draft', revision: 1, automation: false, draft: { case_count: 3, missing: [] } })
    const digest = createHash('sha256').update('{"expected":"label-0","input":"Ticket 0","metadata":{}}').digest('hex')
    expect(session.draft.cases[0]).toEqual({
      id: 'case-0',
      input: 'Ticket 0',
      expected: 'label-0',
      metadata: {},
      cluster: null,
      origin: { kind: 'trace', ref: 'trace-0', digest },
      edited: null,
    })
  })

  test('is read with as few cases as wanted, its count unchanged', async () => {
    const { id, draft } = await create()
    const few = (cases: number) => service.client.call('getTuneSession', { params: { session_id: id }, query: { cases } })
    expect((await few(0)).draft).toMatchObject({ case_count: 3, cases: [], missing: [] })
    expect((await few(2)).draft.cases).toEqual(draft.cases.slice(0, 2))
  })

  test('keeps the origins of unchanged cases byte for byte and drops those of edited ones', async () => {
    const { id, draft } = await create()
    const [first, second, third] = draft.cases
    const next = await patch(id, {
      revision: 1,
      cases: {
        upsert: [
          { id: 'case-0', input: 'Ticket 0', expected: 'label-0', cluster: 'thread' },
          { id: 'case-1', input: 'Ticket 1, reworded', expected: 'label-1' },
        ],
      },
    })
    expect(next.revision).toBe(2)
    const [same, edited, untouched] = next.draft.cases
    expect(JSON.stringify(same?.origin)).toBe(JSON.stringify(first?.origin))
    expect(same).toMatchObject({ cluster: 'thread', edited: null })
    expect(edited).toMatchObject({ input: 'Ticket 1, reworded', origin: null, edited: { at: expect.any(String) } })
    expect(JSON.stringify(untouched)).toBe(JSON.stringify(third))
    // The earlier revision still has what it had.
    expect((await read(id, 1)).draft.cases).toEqual([first, second, third])
    // An origin that is gone does not come back with the old content.
    const restored = await patch(id, { revision: 2, cases: { upsert: [{ id: 'case-1', input: 'Ticket 1', expected: 'label-1' }] } })
    expect(restored.draft.cases[1]).toMatchObject({ input: 'Ticket 1', origin: null, edited: { at: expect.any(String) } })
  })

  test('refuses an older revision, another origin and unknown cases', async () => {
    const { id } = await create()
    await patch(id, { revision: 1, name: 'Renamed' })
    const refused = (body: Parameters<typeof patch>[1]) => service.client.refusal('patchTuneDraft', { params: { session_id: id }, body })
    expect(await refused({ revision: 1, name: 'Late' })).toMatchObject({ code: 'conflict', message: expect.stringContaining('which is 2') })
    const stolen = { id: 'case-0', input: 'Ticket 0', expected: 'label-0', origin: { kind: 'import', ref: 'elsewhere' } as const }
    expect((await refused({ revision: 2, cases: { upsert: [stolen] } })).code).toBe('validation_error')
    expect((await refused({ revision: 2, cases: { remove: ['nope'] } })).code).toBe('validation_error')
    expect((await refused({ revision: 2, grader: { scorer: 'assay/nope' } })).code).toBe('validation_error')
    expect((await read(id)).revision).toBe(2)
  })

  test.each(['spreadsheetbench/soft', 'assay/exact_match'])(
    'refuses options that %s does not take, before anything is stored',
    async scorer => {
      const grader = { scorer, options: { unknown: 1 } }
      const field = { code: 'validation_error', detail: [{ loc: ['body', 'grader', 'scorer'] }] }
      expect(await service.client.refusal('createTuneSession', { body: { ...newSession(), grader } })).toMatchObject(field)
      const { id } = await create()
      const params = { session_id: id }
      expect(await service.client.refusal('patchTuneDraft', { params, body: { revision: 1, grader } })).toMatchObject(field)
      expect((await read(id)).revision).toBe(1)
    },
  )

  test('of a version that took other options says at approval what to correct', async () => {
    const { id } = await create()
    const db = openDatabase(join(service.dataDir, 'assay.db'))
    db.prepare('update tune_drafts set grader = ? where session_no = (select no from tune_sessions where id = ?)').run(
      JSON.stringify({ scorer: 'assay/exact_match', options: { unknown: 1 } }),
      id,
    )
    db.close()
    const refused = await service.client.refusal('approveTuneSession', { params: { session_id: id }, body: { revision: 1 } })
    expect(refused).toMatchObject({ code: 'validation_error', detail: [{ loc: ['body'] }] })
    expect(refused.message).toMatch(/Correct the grader of the draft: .*unknown/)
  })

  test('names a repeated case where the request has it', async () => {
    const { id } = await create()
    const cases = ['a', 'a'].map(name => ({ id: name, input: name }))
    const created = await service.client.refusal('createTuneSession', { body: { ...newSession(), cases } })
    expect(created.detail[0]?.loc).toEqual(['body', 'cases', 1, 'id'])
    const patched = await service.client.refusal('patchTuneDraft', {
      params: { session_id: id },
      body: { revision: 1, cases: { upsert: cases } },
    })
    expect(patched.detail[0]?.loc).toEqual(['body', 'cases', 'upsert', 1, 'id'])
  })

  test('adds and removes cases, and lists them page by page', async () => {
    const { id } = await create(60)
    const next = await patch(id, { revision: 1, cases: { remove: ['case-3'], upsert: [{ input: { question: 'Why?' } }] } })
    expect(next.draft.case_count).toBe(60)
    const ids: string[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await service.client.call('listTuneCases', { params: { session_id: id }, query: { cursor, limit: 25 } })
      ids.push(...page.items.map(item => item.id))
      if (page.next_cursor === null) break
      cursor = page.next_cursor
    }
    expect(ids).toHaveLength(60)
    expect(ids).not.toContain('case-3')
    expect(ids.slice(0, 3)).toEqual(['case-0', 'case-1', 'case-2'])
  })

  test('may be incomplete for a person and must be complete for a pipeline', async () => {
    const body = { name: 'Empty' }
    const session = await service.client.call('createTuneSession', { body })
    expect(session.draft.missing).toHaveLength(3)
    const refused = await service.keyClient.refusal('createTuneSession', { body, query: { _automation: true } })
    expect(refused).toMatchObject({ code: 'validation_error', message: expect.stringContaining('incomplete') })
    const made = await service.keyClient.call('createTuneSession', { body: newSession(), query: { _automation: true } })
    expect(made.automation).toBe(true)
  })
})

test('sessions are listed newest first and found by name', async () => {
  const { id } = await create()
  await patch(id, { revision: 1, name: 'Needle in a haystack' })
  const { items } = await service.client.call('listTuneSessions', { query: { q: 'NEEDLE' } })
  expect(items).toMatchObject([{ id, name: 'Needle in a haystack', case_count: 3 }])
})
