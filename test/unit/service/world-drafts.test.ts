import { expect, test } from 'vitest'
import type { NewWorldDraft } from '../../../src/contract/worlds/drafts.schemas.ts'
import { idsFrom } from '../../../src/service/kernel.ts'
import { createWorldDrafts, type MakeWorlds } from '../../../src/service/worlds/world-drafts.ts'
import { jobsOn, workspaces } from '../../support/jobs.ts'
import { cpuMsOf, slowness } from '../../support/machine-speed.ts'

const [workspace] = workspaces
const small: NewWorldDraft = { files: [{ name: 'promptfooconfig.yaml', content: 'AAAA' }] }
const owner = { kind: 'service' } as const

function bench(make: MakeWorlds) {
  const { db, jobs, clock } = jobsOn()
  const drafts = createWorldDrafts({ db, clock, ids: idsFrom(clock) }, jobs, make)
  const count = () => db.prepare('select count(*) as drafts from world_drafts').get()
  return { db, jobs, clock, count, start: (source = small) => drafts.start(workspace, owner, 'Desk', source), read: drafts.read }
}

test('a workspace has ten drafts made at a time, and another one is free of that', async () => {
  const { start, jobs } = bench(() => Promise.resolve([]))
  const first = start()
  for (let i = 1; i < 10; i++) start()
  expect(start).toThrow(/at most 10 are possible\. Wait for one/)
  jobs.cancel(workspace, first.job_id)
  expect(start().worlds).toBeNull()
  await jobs.close()
})

test('of drafts that have ended, with the files that they were made of, the newest are kept', async () => {
  const { start, jobs, clock, count, read } = bench(() => Promise.reject(new Error('no file can be read')))
  const first = start()
  jobs.cancel(workspace, first.job_id)
  for (let i = 1; i <= 25; i++) {
    clock.advance(1000)
    jobs.cancel(workspace, start().job_id)
  }
  expect(count()).toEqual({ drafts: 20 })
  expect(() => read(workspace, first.id)).toThrow(/not found|No environment draft/i)
  await jobs.close()
})

test('a draft is read without the files that it is made of', async () => {
  const { start, read, jobs } = bench(() => Promise.resolve([]))
  const { id } = start({ files: [{ name: 'data.zip', content: 'AAAA'.repeat(5_500_000) }] })
  const took = await cpuMsOf(() => {
    for (let i = 0; i < 5; i++) expect(read(workspace, id).isOfTraces).toBe(false)
  })
  expect(took).toBeLessThan(150 * slowness())
  const traces = start({ trace_ids: [id] })
  expect(read(workspace, traces.id).isOfTraces).toBe(true)
  await jobs.close()
})
