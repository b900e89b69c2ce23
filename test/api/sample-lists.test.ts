import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '../../src/contract/api.ts'
import { ApiError } from '../../src/contract/errors.ts'
import type { Run } from '../../src/contract/runs/runs.schemas.ts'
import { writeAnswer } from '../../src/service/http/lasting-answers.ts'
import { findRun, type RunRow } from '../../src/service/runs/runs.store.ts'
import { createSampleLists } from '../../src/service/runs/sample-lists.ts'
import { type Database, openDatabase } from '../../src/storage/database.ts'
import { everySample, listSamples, type SamplesQuery } from '../../src/storage/reads/sample-list.ts'
import { findSamplePage } from '../../src/storage/reads/sample-page.ts'
import { sampleId } from '../../src/storage/sample-id.ts'
import { createWorkers, type Workers } from '../../src/workers/pool.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let run: Run
let db: Database
let row: RunRow
let workers: Workers
/** Kinds of what threads were asked. */
let asked: string[] = []

beforeAll(async () => {
  service = await startTestService()
  const profiles = [await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')]
  const { id } = await quote(service.client, { model: { kind: 'managed', route_id: 'assay/oracle-50' }, profiles })
  run = await runToEnd(service.client, service.baseUrl, (await submit(service.client, id)).id)
  const path = join(service.dataDir, 'assay.db')
  db = openDatabase(path, { readonly: true })
  row = findRun(db, service.workspaceId, run.id) ?? expect.fail('The run is stored.')
  workers = createWorkers(path)
})
afterAll(async () => {
  await workers.close()
  db.close()
  await service.close()
})

const query = (given: object = {}): SamplesQuery => api.listSamples.query.parse(given)

/** Lists beside a run, whose reads cost what `worked` says, and alone. */
function lists(isRunExecuted: boolean, samples: Workers['samples'] = workers.samples) {
  asked = []
  let ms = 0
  const noted: Workers['samples'] = task => {
    asked.push(task.kind)
    return samples(task)
  }
  const reads = { isYielding: () => isRunExecuted, worked: () => (ms += 500) }
  return createSampleLists(
    { db, reads: { ...reads, wait: async () => undefined, yieldToRun: () => () => undefined } },
    { samples: noted },
    {
      fileOf: () => null,
      prepare: () => undefined,
      prepareMissing: async () => undefined,
    },
  )
}

/** From a thread: the first read is here, and costs so much that the next one is not. */
async function fromThread(wanted: SamplesQuery): Promise<string> {
  const beside = lists(true)
  await beside.read(row, query())
  expect(asked).toEqual([])
  const text = writeAnswer(await beside.send(row, wanted))
  expect(asked).toEqual(['list'])
  return text
}

describe('pages of samples that a thread answers beside a run', () => {
  test.each([{}, { limit: 1 }, { limit: 100 }, { sort: '-position' }, { offset: 268, limit: 10 }, { offset: 270 }])(
    'have the bytes that the loop writes: %j',
    async given => {
      const here = writeAnswer(await lists(false).send(row, query(given)))
      expect(asked).toEqual([])
      expect(await fromThread(query(given))).toBe(here)
      expect(writeAnswer(await lists(false).read(row, query(given)))).toBe(here)
    },
  )

  test('go on from a cursor of the loop, and the loop from theirs', async () => {
    const first = await lists(false).read(row, query({ limit: 7 }))
    const second = query({ limit: 7, cursor: first.next_cursor })
    const here = writeAnswer(await lists(false).send(row, second))
    expect(await fromThread(second)).toBe(here)
    const third = query({ limit: 7, cursor: JSON.parse(here).next_cursor })
    expect(await fromThread(third)).toBe(writeAnswer(await lists(false).send(row, third)))
  })

  test('show what was written just before', async () => {
    const [sample] = (await lists(false).read(row, query({ limit: 1 }))).items
    for (const bookmarked of [true, false]) {
      await service.client.call('changeAnnotations', { params: { run_id: run.id }, body: { sample_ids: [sample?.id ?? ''], bookmarked } })
      expect(JSON.parse(await fromThread(query({ limit: 1 }))).items[0].annotations.bookmarked).toBe(bookmarked)
    }
  })

  test('are the loop’s where the thread is lost, and where they are cheap', async () => {
    const here = writeAnswer(await lists(false).send(row, query()))
    const beside = lists(true, () => Promise.reject(new Error('The thread ended.')))
    await beside.read(row, query())
    expect(writeAnswer(await beside.send(row, query()))).toBe(here)
    expect(asked).toEqual(['list'])
  })

  test('refuse a cursor of other filters with the same error', async () => {
    const { next_cursor: cursor } = await lists(false).read(row, query({ limit: 7 }))
    const other = query({ limit: 7, sort: '-position', cursor })
    const [alone, beside] = [lists(false), lists(true)]
    await beside.read(row, query())
    const errors = await Promise.all([alone, beside].map(of => of.send(row, other).catch((error: unknown) => error)))
    expect(errors.map(error => error instanceof ApiError && error.code)).toEqual(['invalid_cursor', 'invalid_cursor'])
    expect(errors[0]).toEqual(errors[1])
  })
})

test('a page that is not a walk is a thread’s, from its places to its text, whoever reads it', async () => {
  const alone = lists(false)
  const wanted = query({ sort: '-latency', limit: 5, passed: 'true' })
  const text = writeAnswer(await alone.send(row, wanted))
  expect(asked).toEqual(['list'])
  expect(await alone.read(row, wanted)).toEqual(JSON.parse(text))
  const reply = await service.fetch(`/v1/runs/${run.id}/samples?sort=-latency&limit=5&passed=true`)
  expect(await reply.text()).toBe(text)
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
})

test.each([
  [{ sort: '-latency' }, false],
  [{ sort: '-latency', offset: 3 }, false],
  [{ sort: '-latency', passed: 'true' }, true],
  [{ sort: '-position', locate: 'last' }, false],
])('a page of all samples in another order reads the run once: %j', (given, isCounted) => {
  const whole = { no: row.no, id: row.id, frozen: row.frozen, whole: true, profiles: [] }
  const locate = 'locate' in given ? { locate: sampleId(row.id, 269) } : {}
  const asked: boolean[] = []
  const { total } = listSamples(db, whole, query({ ...given, ...locate }), question => {
    asked.push(question.counted)
    return { ...findSamplePage(db, question), searchedBy: null }
  })
  expect(asked).toEqual('locate' in given ? [] : [isCounted])
  const counted = findSamplePage(db, { ...everySample(row.no, 1, '', 'words'), passed: isCounted ? 'true' : null, counted: true })
  expect(total).toBe(counted.total)
})
