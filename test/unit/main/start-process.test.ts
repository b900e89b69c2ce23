import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { UtilityProcess } from '../../support/utility-process.ts'

vi.mock('electron', () => import('./strict-electron.ts'))
const { startProcess } = await import('../../../src/main/start-process.ts')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-utility-'))
})
afterAll(() => rm(folder, { recursive: true }))

function script(name: string, text: string): string {
  const path = join(folder, `${name}.mjs`)
  writeFileSync(path, text)
  return path
}

function events() {
  return { message: vi.fn<(data: unknown) => void>(), end: vi.fn<(detail: string) => void>() }
}

test('starts a script that hears and answers, with an environment of its own', async () => {
  const told = events()
  const echo = script(
    'echo',
    "process.parentPort.on('message', ({ data }) => process.parentPort.postMessage([data, Object.keys(process.env)]))",
  )
  const child = startProcess(echo, told)
  child.post('hello')
  await expect.poll(() => told.message).toHaveBeenCalled()
  expect(told.message).toHaveBeenCalledWith(['hello', expect.arrayContaining(['ASSAY_SANDBOX'])])
  expect(told.message).not.toHaveBeenCalledWith(['hello', expect.arrayContaining(['PATH'])])
  // Electron takes an empty environment for none, and knows no standard input.
  expect(UtilityProcess.forked.at(-1)).toMatchObject({ stdio: 'ignore', cwd: folder, disclaim: true })
  child.kill()
  await expect.poll(() => told.end).toHaveBeenCalledWith('It was killed.')
  child.kill()
  expect(told.end).toHaveBeenCalledTimes(1)
})

test('reports an end that was not asked for', async () => {
  const told = events()
  startProcess(script('ends', 'process.exit(3)'), told)
  await expect.poll(() => told.end).toHaveBeenCalledWith('It ended with code 3.')
})

test('kills code that does not listen to a request to end', async () => {
  const told = events()
  const deaf = script('deaf', "process.on('SIGTERM', () => undefined); process.parentPort.postMessage('up'); for (;;);")
  const child = startProcess(deaf, told)
  await expect.poll(() => told.message).toHaveBeenCalled()
  child.kill()
  await expect.poll(() => told.end).toHaveBeenCalled()
})
