import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { ServiceError } from '../../src/contract/client.ts'
import { routeOfFile } from '../../src/headless/client/local-model.ts'
import { connect } from '../../src/headless/client/service-client.ts'
import { makePng } from '../support/media.ts'
import { importToEnd } from './imports-upload.ts'
import { jobEnd } from '../support/judging.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { testRuntime, useRuntime } from '../support/local-runtime.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { renamed, type TinyModel, tinyModel } from '../support/tiny-model.ts'
import { patience } from '../support/machine-speed.ts'
import { promptText } from '../../src/contract/messages/message-text.ts'

let service: TestService
let tiny: TinyModel
const home = mkdtempSync(join(tmpdir(), 'assay-test-home-'))
const models = join(home, 'models')
const homeBefore = process.env['HOME']

beforeAll(async () => {
  process.env['HOME'] = home
  mkdirSync(models)
  service = await startTestService()
  tiny = tinyModel()
  tiny.write(models)
})
afterAll(async () => {
  process.env['HOME'] = homeBefore
  await service.close()
  rmSync(home, { recursive: true, force: true })
})

/** Identifies a file, as the command line does. */
async function routeOf(path: string): Promise<string> {
  return routeOfFile(await connect(service.dataDir), path)
}

async function refusalOf(path: string): Promise<string> {
  const error = await service.client.call('identifyLocalModel', { body: { path } }).catch((thrown: unknown) => thrown)
  if (!(error instanceof ServiceError)) throw new Error(`${path} was not refused.`)
  return error.message
}

describe('GGUF files', () => {
  test('are found in an added folder by their headers, and in well-known ones', async () => {
    const { client } = service
    mkdirSync(join(home, '.lmstudio', 'models'), { recursive: true })
    writeFileSync(join(home, '.lmstudio', 'models', 'broken.gguf'), 'not a model')
    const folder = await client.call('addLocalModelFolder', { body: { path: models } })
    expect(folder).toMatchObject({ models: 1, problem: null })
    const found = await client.call('listLocalModels', {})
    expect(found.items).toMatchObject([
      {
        name: 'tiny',
        architecture: 'llama',
        parameters: 119_616,
        quantization: 'F32',
        trained_context_tokens: 2_048,
        chat_template: true,
        fit: { status: 'yes' },
        route_id: null,
      },
    ])
    expect(found.others).toMatchObject([{ kind: 'unreadable', reason: expect.stringContaining('It is no GGUF file') }])
    expect(found.folders.map(({ location }) => location)).toEqual(['added', 'lm_studio'])
  })

  test('become models by their digest; without a runtime the route says what to do', async () => {
    const { client } = service
    const route = await routeOf(join(models, 'tiny.gguf'))
    expect(route).toMatch(/^local\/tiny@[0-9a-f]{12}$/)
    const { items } = await client.call('listModels', { query: { q: route } })
    expect(items).toMatchObject([
      {
        route_id: route,
        kind: 'local',
        capabilities: ['chat', 'completion', 'loglikelihood', 'loglikelihood_rolling'],
        limits: { context_tokens: 2_048 },
        availability: { status: 'runner_unavailable', reasons: [expect.stringContaining('assay runtime install')] },
      },
    ])
    const quoted = await quote(client, {
      model: { kind: 'managed', route_id: route },
      profiles: [await profileId(client, 'logic-choice', 'loglikelihood')],
    })
    expect(quoted.compatibility.status).toBe('incompatible')
  })

  test('are refused with a sentence when they are no model', async () => {
    const at = (name: string, bytes: Uint8Array | string) => {
      const path = join(home, name)
      writeFileSync(path, bytes)
      return path
    }
    expect(await refusalOf(at('short.gguf', 'GG'))).toContain('It has 2 bytes, so it is no GGUF file')
    expect(await refusalOf(at('text.gguf', 'hello, world'))).toContain('It does not begin with GGUF'.replace('It does', 'it does'))
    expect(await refusalOf(at('cut.gguf', tiny.gguf.subarray(0, 400_000)))).toMatch(/The file is cut off: 8\d kB are missing/)
    const newer = Buffer.from(tiny.gguf)
    newer.writeUInt32LE(9, 4)
    expect(await refusalOf(at('newer.gguf', newer))).toContain('It is GGUF version 9; versions 2 and 3 can be read')
    expect(await refusalOf(join(home, 'none.gguf'))).toContain('It no longer exists')
    expect(await refusalOf(models)).toContain('is no file')
    expect(await refusalOf('relative.gguf')).toContain('must be an absolute path')
    symlinkSync(join(home, 'loop.gguf'), join(home, 'loop.gguf'))
    expect(await refusalOf(join(home, 'loop.gguf'))).toContain('link that leads to itself')
    expect(await refusalOf(at('words.gguf', tiny.vocabulary))).toContain('it holds a vocabulary and no weights')
    const split = join(home, 'big-00001-of-00002.gguf')
    writeFileSync(split, tiny.gguf)
    expect(await refusalOf(split)).toContain('A part is missing: big-00002-of-00002.gguf')
    // Nothing of these is listed afterwards.
    expect((await service.client.call('listLocalModels', {})).items.map(({ name }) => name)).toEqual(['tiny'])
  })

  test('of a folder with 10,000 are read a hundred at a time', async () => {
    const many = join(home, 'many')
    mkdirSync(many)
    for (let i = 0; i < 10_000; i++) writeFileSync(join(many, `${i}.gguf`), '')
    const { id, models: found } = await service.client.call('addLocalModelFolder', { body: { path: many } })
    expect(found).toBe(10_000)
    expect((await service.client.call('listLocalModels', {})).unread).toBeGreaterThanOrEqual(9_800)
    await service.client.call('removeLocalModelFolder', { params: { folder_id: id ?? '' } })
  })

  test('whose runtime is being installed: the install is cancelled, and leaves nothing', async () => {
    await using other = await startTestService()
    const { client, dataDir } = other
    const asked = Promise.withResolvers<void>()
    const silent = createServer(() => asked.resolve()).listen(0, '127.0.0.1')
    onTestFinished(() => silent.close().closeAllConnections())
    await once(silent, 'listening')
    const registry = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/` // a server on a port has an address
    const { status, job_id } = await client.call('installLocalRuntime', { body: { backend: 'cpu', registry } })
    expect(status).toBe('installing')
    await asked.promise
    await client.call('cancelJob', { params: { job_id: job_id ?? '' } })
    await jobEnd(client, job_id ?? '')
    expect(await client.call('getLocalRuntime', {})).toMatchObject({ status: 'not_installed', installed_at: null, problem: null })
    expect(readdirSync(join(dataDir, 'runtimes'))).toEqual([])
  })

  test('can be read by keys, and are added by the owner alone', async () => {
    const { key } = await service.client.call('createApiKey', { body: { name: 'reader', scopes: ['models:read', 'models:write'] } })
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    expect((await service.fetch('/v1/models/local', { headers })).status).toBe(200)
    const body = JSON.stringify({ path: join(models, 'tiny.gguf') })
    expect((await service.fetch('/v1/models/local', { method: 'POST', headers, body })).status).toBe(403)
  })
})

describe('A model that runs', () => {
  let route: string
  let isInstalled = false
  beforeAll(async () => {
    const runtimes = await testRuntime()
    if (runtimes === null) return
    useRuntime(service.dataDir, runtimes)
    isInstalled = true
    route = await routeOf(join(models, 'tiny.gguf'))
  }, 120_000 * patience())

  const withRuntime = (name: string, work: () => Promise<void>) =>
    test(name, async ({ skip }) => {
      skip(!isInstalled, 'the runtime could not be downloaded')
      await work()
    })

  withRuntime('measures choices as the exact forward pass does, in one call a sample', async () => {
    const { client, baseUrl } = service
    const quoted = await quote(client, {
      model: { kind: 'managed', route_id: route },
      profiles: [await profileId(client, 'logic-choice', 'loglikelihood')],
      coverage: { mode: 'sample', sample_count: 12, seed: 3 },
    })
    expect(quoted.compatibility.status).toBe('compatible')
    const run = await runToEnd(client, baseUrl, (await submit(client, quoted.id)).id)
    expect(run.status).toBe('complete')
    const { items } = await client.call('listSamples', { params: { run_id: run.id }, query: { limit: 100 } })
    expect(items).toHaveLength(12)
    for (const { id } of items) {
      const sample = await client.call('getSample', { params: { run_id: run.id, sample_id: id } })
      const measured = JSON.parse(sample.output ?? '') as { loglikelihoods: number[]; greedy: boolean[]; choices: string[] }
      const prompt = promptText(sample.messages)
      for (const [i, choice] of measured.choices.entries()) {
        const exact = tiny.loglikelihood(prompt, choice)
        expect(Math.abs((measured.loglikelihoods[i] ?? Number.NaN) - exact.logprob)).toBeLessThan(0.02)
      }
    }
  })

  withRuntime('is quoted with the time that a warm-up of it measured', async () => {
    const { client } = service
    const quoted = async () =>
      quote(client, {
        model: { kind: 'managed', route_id: route },
        profiles: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')],
        coverage: { mode: 'sample', sample_count: 20, seed: 3 },
      })
    await expect.poll(async () => (await quoted()).time).not.toBeNull()
    const { time, counts } = await quoted()
    expect(time?.basis).toMatch(
      /^Time from a warm-up on this machine \(20\d\d-\d\d-\d\d\): [\d,.]+ prompt tokens and [\d,.]+ generated tokens a second$/,
    )
    expect(counts.input_tokens).toBeGreaterThan(100)
    expect(time?.estimated_seconds).toBeGreaterThan(0)
  })

  withRuntime('is refused for tasks with pictures, which a file is not sent', async () => {
    const image = `data:image/png;base64,${makePng([9, 9, 9]).toString('base64')}`
    await importToEnd(service, {
      fields: { format: 'jsonl', name: 'Pictures' },
      files: [{ name: 'p.jsonl', content: JSON.stringify({ question: 'What is it?', answer: 'gray', image }) }],
    })
    const { compatibility } = await quote(service.client, {
      model: { kind: 'managed', route_id: route },
      profiles: [await profileId(service.client, 'pictures', 'zero-shot')],
    })
    expect(compatibility.checks).toContainEqual(
      expect.objectContaining({ status: 'fail', detail: expect.stringContaining('1 of 1 tasks cannot be sent: tiny takes no images') }),
    )
  })

  withRuntime('is refused in a sentence where the memory of the machine is too small', async () => {
    for (const of of ['constrainedMemory', 'availableMemory'] as const) vi.spyOn(process, of).mockReturnValue(100_000_000)
    onTestFinished(() => void vi.restoreAllMocks())
    const { items } = await service.client.call('listModels', { query: { q: route } })
    expect(items[0]?.availability).toEqual({
      status: 'unavailable',
      reasons: [expect.stringMatching(/^The model needs 2\d\d MB and this machine has 100 MB of memory\. Choose a smaller quantization/)],
    })
    expect((await service.client.call('listLocalModels', {})).items[0]?.fit.status).toBe('no')
  })

  withRuntime('of an architecture that the runtime does not know ends its run with that reason', async () => {
    const { client, baseUrl } = service
    const path = join(home, 'unknown.gguf')
    writeFileSync(path, renamed(tiny.gguf, 'llama', 'lamma'))
    const quoted = await quote(client, {
      model: { kind: 'managed', route_id: await routeOf(path) },
      profiles: [await profileId(client, 'logic-choice', 'loglikelihood')],
      coverage: { mode: 'sample', sample_count: 2, seed: 3 },
    })
    const { status, stop_reason } = await runToEnd(client, baseUrl, (await submit(client, quoted.id)).id)
    expect(status).toBe('failed')
    expect(stop_reason?.message).toMatch(/^The model could not be loaded\. .*lamma/s)
  })

  withRuntime('without a chat template completes text and does not chat', async () => {
    const { client, baseUrl } = service
    const path = join(home, 'base.gguf')
    writeFileSync(path, renamed(tiny.gguf, 'tokenizer.chat_template', 'tokenizer.chat_templatf'))
    const base = { kind: 'managed', route_id: await routeOf(path) } as const
    const { items } = await client.call('listModels', { query: { q: base.route_id } })
    expect(items[0]?.capabilities).toEqual(['completion', 'loglikelihood', 'loglikelihood_rolling'])
    const of = async (key: string) =>
      quote(client, {
        model: base,
        profiles: [await profileId(client, 'arithmetic-word-problems', key)],
        coverage: { mode: 'sample', sample_count: 2, seed: 1 },
        execution: { max_output_tokens: 8, cache: false },
      })
    expect((await of('zero-shot')).compatibility.status).toBe('incompatible')
    const run = await runToEnd(client, baseUrl, (await submit(client, (await of('3-shot')).id)).id)
    expect(run.status).toBe('complete')
    const samples = (await client.call('listSamples', { params: { run_id: run.id }, query: {} })).items
    const sample = await client.call('getSample', { params: { run_id: run.id, sample_id: samples[0]?.id ?? '' } })
    expect(JSON.parse(sample.attempt_log[0]?.request ?? '')).toMatchObject({ prompt: promptText(sample.messages) })
  })

  withRuntime('answers by its template, greedily the same twice, and stores what was sent', async () => {
    const { client, baseUrl } = service
    const answers = async () => {
      const quoted = await quote(client, {
        model: { kind: 'managed', route_id: route },
        profiles: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')],
        coverage: { mode: 'sample', sample_count: 3, seed: 1 },
        execution: { max_output_tokens: 24, cache: false, concurrency: 1 },
      })
      const run = await runToEnd(client, baseUrl, (await submit(client, quoted.id)).id)
      const { items } = await client.call('listSamples', { params: { run_id: run.id }, query: { limit: 100 } })
      return Promise.all(items.map(({ id }) => client.call('getSample', { params: { run_id: run.id, sample_id: id } })))
    }
    const [first, second] = [await answers(), await answers()]
    expect(second.map(({ output }) => output)).toEqual(first.map(({ output }) => output))
    const [attempt] = first[0]?.attempt_log ?? []
    expect(JSON.parse(attempt?.request ?? '')).toMatchObject({
      runtime: 'node-llama-cpp 3.21.1',
      backend: 'cpu',
      threads: 1,
      context_tokens: 2_048,
      temperature: 0,
      prompt: expect.stringMatching(/^<\|user\|>[^]*<\|assistant\|>$/),
      prompt_tokens: attempt?.input_tokens,
    })
  })
})
