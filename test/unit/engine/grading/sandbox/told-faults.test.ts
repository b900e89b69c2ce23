import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createSandbox } from '../../../../../src/engine/grading/sandbox/sandbox.ts'
import type { SandboxProcess } from '../../../../../src/engine/grading/sandbox/sandbox-process.ts'
import { quickjsBounds, type Tier } from '../../../../../src/engine/grading/sandbox/tier.ts'
import { createWorldFunctions } from '../../../../../src/engine/grading/sandbox/world-functions.ts'
import { createCodePool } from '../../../../../src/workers/code-pool.ts'
import { temporaryFolder } from '../../../../support/temporary-folder.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const stuck = () => Promise.reject(new Error('The folder cannot be removed.'))
const process: SandboxProcess = {
  ready: Promise.resolve(''),
  ask: () => Promise.resolve({ kind: 'ended', detail: 'It ended.' }),
  isOver: () => false,
  close: stuck,
}
const tier: Tier = {
  id: 'quickjs',
  title: '',
  protects: '',
  limits: '',
  language: 'javascript',
  interpreter: '',
  bounds: quickjsBounds,
  start: () => process,
  renew: () => undefined,
  close: stuck,
}

/** The messages that were told, in order. */
function told() {
  const messages: string[] = []
  return { messages, settings: { idleMs: 1, tell: (error: unknown) => messages.push(String(error)) } }
}
const said = 'Error: The folder cannot be removed.'

test('a sandbox tells what fails while it ends unused processes', async () => {
  const { messages, settings } = told()
  await createSandbox(tier, 1, settings).use(async room => void room.candidate())
  // Of the process that was used, the one that was ready after it, and the tier itself.
  await expect.poll(() => messages).toEqual([said, said, said])
})

test('functions of environments tell what fails while they end unused processes', async () => {
  const { messages, settings } = told()
  const call = { source: '', state: {}, args: {}, now: 0, seed: 1, timeoutMs: 1_000 }
  await createWorldFunctions(tier, '', 1, settings).call(call)
  await expect.poll(() => messages).toEqual([said])
})

test('the thread of the sandboxes tells the service', async () => {
  const filename = join(folder.path, 'code.mjs')
  writeFileSync(
    filename,
    "import { parentPort } from 'node:worker_threads'\nexport default () => (parentPort.postMessage('not cleared'), null)",
  )
  const { messages, settings } = told()
  const pool = createCodePool({ filename, sandboxCache: folder.path, tell: settings.tell })
  await pool.sandbox()
  await expect.poll(() => messages).toEqual(['not cleared'])
  await pool.close()
})
