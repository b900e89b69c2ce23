import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ModelClient } from '../../../../src/engine/clients/model-client.ts'
import { createLimiters } from '../../../../src/engine/execution/scheduler/limiters.ts'
import type { Kernel } from '../../../../src/service/kernel.ts'
import { createRunExecution, type ExecutionDependencies } from '../../../../src/service/runs/run-executor.ts'
import { findRunByNo } from '../../../../src/service/runs/runs.store.ts'
import { openDatabase } from '../../../../src/storage/database.ts'
import { migrate } from '../../../../src/storage/migrate.ts'
import { temporaryFolder } from '../../../support/service.ts'
import { quoteFixture } from '../../renderer/quotes/fixtures.ts'

test('a run that fails before its first call pauses and closes the client of its model', async () => {
  const folder = temporaryFolder()
  const db = openDatabase(join(folder.path, 'assay.db'))
  migrate(db, new Date(0))
  const at = '2026-11-20T09:30:00.000Z'
  const { status: _, ...quote } = quoteFixture()
  const model = { ...quote.model, route_id: 'vendor/model', is_model: true }
  db.prepare('insert into workspaces (id, name, created_at) values (?, ?, ?)').run('w', 'W', at)
  db.prepare(`insert into quotes values ('q', 'w', ?, ?, ?, x'00')`).run(at, at, JSON.stringify({ ...quote, model }))
  db.prepare(
    `insert into runs (no, id, workspace_id, quote_id, principal_id, name, status, accounting_state, frozen, max_charge_microusd,
       held_microusd, charged_microusd, search, created_at, retries, unknown_calls)
     values (1, 'r', 'w', 'q', 'x', 'run', 'queued', 'held', 1, 0, 0, 0, '', ?, 0, 0)`,
  ).run(at)
  let closed = 0
  const paused = Promise.withResolvers<void>()
  const client: ModelClient = {
    call: () => Promise.reject(new Error('No call is expected.')),
    probe: () => Promise.resolve(null),
    close: () => {
      closed++
      return Promise.resolve()
    },
  }
  const clock = { now: () => new Date(at) }
  const storage = { storageFault: () => null, attempt: (work: () => void) => work(), note: () => null }
  const execution = createRunExecution(
    // What executing a run reads of the kernel until it fails.
    { db, clock, storage, config: { dataDir: folder.path }, log: { warn() {}, error() {} } } as unknown as Kernel,
    // The same of the other features; the thread that stores runs is not started before the tasks are read, which fails.
    {
      catalog: { profile: () => ({ promptRecipe: {}, definition: undefined, version: null }), tasks: () => [] },
      connections: { onDisabled() {}, openRoute: () => Promise.resolve({ endpoint: 'e', client, limits: {} }), routes: () => [] },
      evaluators: { runs: { graders: { scoring: () => () => undefined, end: () => Promise.resolve() } } },
      limiters: createLimiters({ now: () => 0, monotonic: () => 0, random: Math.random, sleep: () => Promise.resolve() } as never),
      quotes: {
        taskNumbers: () => {
          throw new Error('The list of tasks cannot be read.')
        },
      },
      workers: { score: () => undefined, scoringThreads: 1 },
      live: { announce: () => paused.resolve(), commit() {}, open() {}, close() {} },
      onEnded() {},
      team: null,
    } as unknown as ExecutionDependencies,
  )
  execution.begin(1)
  await paused.promise
  expect(findRunByNo(db, 1)?.pause_message).toContain('The list of tasks cannot be read.')
  expect(closed).toBe(1)
  await execution.close()
  db.close()
  folder.remove()
})
