import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { renameSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, onTestFinished, test, type TestContext } from 'vitest'
import { promptText } from '../../src/contract/messages/message-text.ts'
import { type LocalModelService, startLocalModel } from '../support/local-model-service.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'

const kills = Number(process.env['ASSAY_LLAMA_KILLS'] ?? 4)
const samples = 8 + 6 * kills
/** A process is killed before so many of its messages: that it is loaded, its figures, and answers. */
const mostMessages = 12

let local: LocalModelService | string
beforeAll(async () => {
  local = await startLocalModel()
})
afterAll(async () => {
  if (typeof local !== 'string') await local[Symbol.asyncDispose]()
})

const ready = (context: TestContext): LocalModelService => {
  if (typeof local === 'string') return context.skip(local)
  return local
}

/** Calls back for each process of a model as it starts. */
function onModelProcess(tell: (child: ChildProcess) => void): void {
  const started = (message: unknown) => {
    const { process: child } = message as { readonly process: ChildProcess } // what Node publishes on this channel
    // Its arguments are known once the constructor has returned.
    queueMicrotask(() => {
      if (child.spawnargs.some(arg => arg.includes('llama.worker'))) tell(child)
    })
  }
  subscribe('child_process', started)
  onTestFinished(() => void unsubscribe('child_process', started))
}

async function begin({ service: { client }, model }: LocalModelService, slug: string, key: string, count: number) {
  const quoted = await quote(client, {
    model,
    profiles: [await profileId(client, slug, key)],
    coverage: { mode: 'sample', sample_count: count, seed: 5 },
    execution: { cache: false },
  })
  return submit(client, quoted.id)
}

interface Measured {
  readonly loglikelihoods: number[]
  readonly choices: string[]
}

/** What was measured for each sample of a run, by its task. */
async function measuredBy({ service: { client } }: LocalModelService, runId: string): Promise<[taskId: string, Measured][]> {
  const found: [string, Measured][] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await client.call('listSamples', { params: { run_id: runId }, query: { limit: 100, ...(cursor && { cursor }) } })
    for (const { id, task_id } of page.items) {
      const { output } = await client.call('getSample', { params: { run_id: runId, sample_id: id } })
      found.push([task_id, JSON.parse(output ?? '') as Measured])
    }
    cursor = page.next_cursor
  }
  return found
}

/** Long answers: what runs is still running when the test acts. */
const answers = ['arithmetic-word-problems', 'zero-shot'] as const

test(`a run whose model is killed ${kills} times is complete, with every sample once and the answers of a run without kills`, async context => {
  const { service, tiny } = ready(context)
  let seed = 17
  // The high bits: the low ones of such a generator repeat after a few draws.
  const draw = (below: number) => Math.floor(((seed = (seed * 69_069 + 1) % 2 ** 32) / 2 ** 32) * below)
  let killed = 0
  onModelProcess(child => {
    if (killed >= kills) return
    let left = draw(mostMessages)
    const kill = () => {
      if (left-- > 0 || killed >= kills) return
      child.off('message', onMessage)
      killed++
      child.kill('SIGKILL')
    }
    const onMessage = ({ kind }: { readonly kind: string }) => {
      if (kind !== 'progress') kill()
    }
    // From before it is loaded to between its answers.
    child.on('message', onMessage)
    kill()
  })
  const run = await begin(ready(context), 'logic-choice', 'loglikelihood', samples)
  const ended = await runToEnd(service.client, service.baseUrl, run.id)
  expect(killed).toBe(kills)
  expect(ended).toMatchObject({ status: 'complete', progress: { scored: samples } })
  const found = await measuredBy(ready(context), run.id)
  const byTask = new Map(found)
  expect([found.length, byTask.size]).toEqual([samples, samples])

  const undisturbed = await begin(ready(context), 'logic-choice', 'loglikelihood', samples)
  await runToEnd(service.client, service.baseUrl, undisturbed.id)
  // What is computed in one batch with others differs in the last digits.
  for (const [task, { loglikelihoods }] of await measuredBy(ready(context), undisturbed.id))
    for (const [i, one] of loglikelihoods.entries()) expect(byTask.get(task)?.loglikelihoods[i]).toBeCloseTo(one, 3)
  const { items } = await service.client.call('listSamples', { params: { run_id: run.id }, query: { limit: 3 } })
  for (const { id } of items) {
    const sample = await service.client.call('getSample', { params: { run_id: run.id, sample_id: id } })
    const { loglikelihoods, choices } = JSON.parse(sample.output ?? '') as Measured
    const exact = tiny.loglikelihood(promptText(sample.messages), choices[0] ?? '')
    expect(Math.abs((loglikelihoods[0] ?? Number.NaN) - exact.logprob)).toBeLessThan(0.02)
  }
})

test('a cancelled run ends its process before that has answered, and leaves none', async context => {
  const { service } = ready(context)
  const asked = Promise.withResolvers<ChildProcess>()
  onModelProcess(child => {
    // The run's first request: a quote starts the process, and warms it up with another temperature.
    const send = child.send.bind(child)
    child.send = (message: object, ...rest: never[]) => {
      if ('temperature' in message && message.temperature === 0) asked.resolve(child)
      return send(message, ...rest)
    }
  })
  // Another context length: no process that is loaded serves it.
  await service.client.call('updateLocalModelSettings', { body: { context_tokens: 2_000 } })
  const run = await begin(ready(context), ...answers, 20)
  const child = await asked.promise
  // It computes, as far as the service can tell: a small model may have answered all that was asked before the run is cancelled.
  child.kill('SIGSTOP')
  const exit = once(child, 'exit')
  await service.client.call('cancelRun', { params: { run_id: run.id } })
  expect(await exit).toEqual([null, 'SIGKILL'])
  expect((await runToEnd(service.client, service.baseUrl, run.id)).status).toBe('cancelled')
})

test.each([
  ['vanishes', () => {}, 'It no longer exists'],
  ['changes', (path: string) => writeFileSync(path, 'GGUF'), 'was changed, so it is another model'],
])('a file that %s during a run ends the run by name, and what was measured stays', async (_what, replace, reason) => {
  if (typeof local === 'string') return
  const { service, modelPath } = local
  const aside = `${modelPath}.aside`
  const change = () => {
    renameSync(modelPath, aside)
    replace(modelPath)
  }
  onTestFinished(() => renameSync(aside, modelPath))
  await service.client.call('updateLocalModelSettings', { body: { context_tokens: 1_700 + reason.length } })
  onModelProcess(child => {
    const onAnswer = ({ kind }: { readonly kind: string }) => {
      if (kind !== 'measured') return
      child.off('message', onAnswer)
      change()
    }
    child.on('message', onAnswer)
  })
  const run = await begin(local, 'logic-choice', 'loglikelihood', 100)
  const { stop_reason, progress } = await runToEnd(service.client, service.baseUrl, run.id)
  expect(stop_reason).toMatchObject({ code: 'model_not_found', message: expect.stringContaining(reason) })
  expect(progress.scored).toBeGreaterThan(0)
  expect(progress.scored).toBeLessThan(100)
})

test('the service’s end ends the process', async context => {
  const { service } = ready(context)
  const starting = Promise.withResolvers<ChildProcess>()
  onModelProcess(starting.resolve)
  await service.client.call('updateLocalModelSettings', { body: { context_tokens: 1_900 } })
  await begin(ready(context), ...answers, 20)
  const child = await starting.promise
  const exit = once(child, 'exit')
  await service.restart(() => expect(child.signalCode).toBe('SIGKILL'))
  expect(await exit).toEqual([null, 'SIGKILL'])
})
