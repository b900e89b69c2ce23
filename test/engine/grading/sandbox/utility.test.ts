import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { afterAll, expect, test, vi } from 'vitest'
import { command } from '../../../../src/engine/grading/sandbox/converse.ts'
import { javascriptProbes } from '../../../../src/engine/grading/sandbox/javascript-probes.ts'
import { javascriptTier } from '../../../../src/engine/grading/sandbox/javascript-tier.ts'
import { portableTier } from '../../../../src/engine/grading/sandbox/portable-tier.ts'
import { pythonProbes } from '../../../../src/engine/grading/sandbox/probes.ts'
import type { RunnerEnd } from '../../../../src/engine/grading/sandbox/sandbox-process.ts'
import { selfTest } from '../../../../src/engine/grading/sandbox/self-test.ts'
import type { Tier } from '../../../../src/engine/grading/sandbox/tier.ts'
import { createCodePool } from '../../../../src/workers/code-pool.ts'
import { openSandboxBroker, startByBroker } from '../../../../src/workers/sandbox-broker.ts'
import { workerFile } from '../../../../src/workers/worker-file.ts'
import { everySandbox, inScope } from '../../../support/sandbox-scope.ts'
import { startUtility, UtilityProcess } from '../../../support/utility-process.ts'
import { sandboxFiles } from './files.ts'

// As in the packaged app: the main thread starts utility processes (played by plain Node), and the interpreters run in threads of those.
const broker = openSandboxBroker(startUtility, workerFile('sandbox-relay.worker'))
const start = startByBroker(broker.channel)
afterAll(() => broker.close())

const tiers = {
  python: () => portableTier(sandboxFiles, start),
  javascript: () => javascriptTier(sandboxFiles, start),
}

async function tierOf(language: keyof typeof tiers): Promise<Tier> {
  const tier = await tiers[language]()
  if (typeof tier === 'string') throw new Error(tier)
  return tier
}

/** What meets other barriers in a thread than in a process; `npm run test:sandbox` tries all. */
const telling = ['read-ssh', 'net-tcp', 'js-mount']

test.each([
  ['python', pythonProbes.filter(({ id }) => everySandbox || telling.includes(id))],
  ['javascript', inScope(javascriptProbes)],
] as const)('lets no %s probe through', async (language, probes) => {
  expect(await selfTest(await tierOf(language), probes)).toEqual({ probes: probes.length, failures: [] })
})

test('ends code that does not stop, and code that takes more memory than it may', async () => {
  const tier = await tierOf('python')
  const load = async (source: string, timeoutMs: number) => {
    const candidate = tier.start('candidate')
    const answer = await command(candidate, { op: 'load', source }, timeoutMs)
    await candidate.close()
    return answer
  }
  const answers = await Promise.all([load('while True: pass', 500), load('held = [bytearray(1 << 26) for _ in range(20)]', 20_000)])
  expect(answers).toMatchObject([{ kind: 'timeout' }, { kind: 'raised', type: 'MemoryError' }])
  expect(UtilityProcess.running.size).toBe(0)
})

test('grades in the code thread by processes that the main thread starts, and ends them all', async () => {
  const before = UtilityProcess.forked.length
  const pool = createCodePool({ filename: workerFile('code.worker'), sandboxCache: tmpdir(), startProcess: startUtility })
  const metric = { id: 'base', scorer: 'evalplus/base', options: { language: 'javascript' }, primary: true }
  const metadata = {
    entry_point: 'double',
    prompt: '',
    canonical_solution: 'const double = x => 2 * x',
    base_input: [[2]],
    plus_input: [],
    atol: 0,
  }
  const graded = await pool.grade(
    [metric],
    ['const double = x => x + x', 'const double = x => x'].map(output => ({ output, targets: [], metadata })),
  )
  expect(graded.map(([score]) => score?.value)).toEqual([1, 0])
  expect(UtilityProcess.forked.length).toBeGreaterThan(before)
  await pool.close()
  await expect.poll(() => UtilityProcess.running.size).toBe(0)
})

test.each(['python-wasm.worker', 'javascript-wasm.worker'])('%s runs nothing where the permission model is not in force', async name => {
  const child = spawn(process.execPath, [workerFile(name), sandboxFiles.pyodide, '', 'serve'], { env: {}, stdio: 'pipe' })
  let complaint = ''
  let said = ''
  child.stderr.on('data', (part: Buffer) => (complaint += String(part)))
  child.stdout.on('data', (part: Buffer) => (said += String(part)))
  const [code] = await once(child, 'close')
  expect({ code, said }).toEqual({ code: 1, said: '' })
  expect(complaint).toContain('permission model is not in force')
})

test('reports a process that could not be started, or says what is no message', async () => {
  const tell = vi.fn<(end: RunnerEnd) => void>()
  const silent = openSandboxBroker((_script, events) => {
    queueMicrotask(() => events.message({ kind: 'passed' }))
    return { post: () => undefined, kill: () => events.end('It was killed.') }
  }, 'relay')
  startByBroker(silent.channel)({
    entry: '',
    args: [],
    text: '',
    folder: '',
    readable: [],
    heapMegabytes: 1,
    processMegabytes: null,
    processorSeconds: 1,
  }).onEnd(tell)
  await expect.poll(() => tell).toHaveBeenCalledWith({ detail: 'It sent something that is no message.', by: 'code', code: null })
  silent.close()
})
