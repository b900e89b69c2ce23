import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { Actor } from '../../../../src/service/datasets/actor.ts'
import { createDatasetRecords } from '../../../../src/service/datasets/datasets.service.ts'
import { createExamples } from '../../../../src/service/datasets/examples.service.ts'
import { createDatasetVersions } from '../../../../src/service/datasets/versions.service.ts'
import { idsFrom } from '../../../../src/service/kernel.ts'
import { jobsOn, workspaces } from '../../../support/jobs.ts'

test('are frozen without the agreement of annotators where it cannot be computed, and the log says so', async () => {
  const { db, jobs, clock } = jobsOn()
  const logged: string[] = []
  const log = pino({}, { write: line => logged.push(line) })
  const kernel = { db, ids: idsFrom(clock), clock, log, storage: { note: () => null } }
  const failing = () => Promise.reject(new Error('The thread is out of memory.'))
  const examples = createExamples(kernel, { datasets: failing }, { find: () => null, keep: () => {} })
  const [workspaceId] = workspaces
  const actor: Actor = { kind: 'person', id: idsFrom(clock).next(), name: 'Ann' }
  const { id } = createDatasetRecords(kernel, examples, failing).create(workspaceId, { name: 'Refunds', description: '', task: 'answer' })
  const content = { input: 'question', output: 'answer', expected: null, metadata: {} }
  const [added] = examples.addFromSource(actor, workspaceId, id, [{ content, origin: { kind: 'manual', ref: null }, sourceKey: null }])
  examples.review(actor, workspaceId, id, added?.exampleId ?? '', { revision: 1, decision: 'approve' })
  const version = await createDatasetVersions(kernel, examples, { datasets: failing }, failing).create(actor, workspaceId, id, {
    filter: {},
  })
  expect(version).toMatchObject({ version: 1, example_count: 1, annotators: { alpha: null, tied: 0 } })
  expect(logged).toEqual([expect.stringContaining('The thread is out of memory.')])
  await jobs.close()
  db.close()
})
