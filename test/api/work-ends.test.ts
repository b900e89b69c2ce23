import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cpuMsOf, slowness } from '../support/machine-speed.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** Threads that tasks of this test have started, in order. */
const started: Worker[] = []
const note = (worker: Worker) => void started.push(worker)
let service: TestService
beforeAll(async () => {
  // Threads of earlier services are used again only under the same environment.
  process.env['ASSAY_TEST_OWN_THREADS'] = 'work-ends'
  service = await startTestService()
})
afterAll(async () => {
  process.off('worker', note)
  delete process.env['ASSAY_TEST_OWN_THREADS']
  await service.close()
})

/** Each level of a list that does not fit is tried twice for each try of the level above. */
const list = { type: 'array', anyOf: [{ items: { $ref: '#/$defs/list' } }, { items: { $ref: '#/$defs/list' } }] }
const definition = {
  kind: 'deterministic',
  scorer: 'assay/json_schema',
  options: { schema: { $defs: { list }, $ref: '#/$defs/list' } },
}
const nested = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`
const trying = (output: string, signal: AbortSignal | null = null) =>
  service.fetch('/v1/workload-evaluators/try', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ definition, input: '', output }),
    signal,
  })

test('a scorer without an end is ended with its thread when the request is broken off', async () => {
  process.on('worker', note)
  const quick = await trying(nested(3))
  expect({ status: quick.status, answer: await quick.json() }).toMatchObject({ status: 200, answer: { kind: 'verdict', class: 'wrong' } })
  const [thread] = started
  if (!thread) throw new Error('No thread was started.')
  expect(started).toHaveLength(1)
  const ended = once(thread, 'exit')

  const leave = new AbortController()
  const before = await thread.cpuUsage()
  const asked = trying(nested(40), leave.signal)
  // The scorer was compiled for the first try, so that so much time is of this output.
  await expect.poll(async () => (await thread.cpuUsage(before)).user).toBeGreaterThan(50_000)
  // Its deadline would end it after five seconds of computing.
  const more = await cpuMsOf(async () => {
    leave.abort()
    await expect(asked).rejects.toThrow('abort')
    await ended
  })
  expect(more).toBeLessThan(300 * slowness())
  // Nothing of it is tried again, alone or without its output.
  expect((await trying(nested(3))).status).toBe(200)
  expect(started).toHaveLength(2)
})
