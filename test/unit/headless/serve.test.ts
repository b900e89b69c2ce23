import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { serve } from '../../../src/headless/serve.ts'
import { findRunningService } from '../../../src/service/lifecycle/running-service.ts'
import { takePrinted } from '../../support/printed.ts'
import { temporaryFolder } from '../../support/service.ts'

const folder = temporaryFolder()
afterEach(() => {
  vi.restoreAllMocks()
  folder.remove()
})

vi.mock('../../../src/headless/frugal-process.ts', () => ({ keepHeapSmall: () => undefined }))
vi.mock('../../../src/headless/config.ts', async original => {
  const config = await original<typeof import('../../../src/headless/config.ts')>()
  return {
    ...config,
    readServeOptions: (args: readonly string[]) => ({ ...config.readServeOptions(args), rendererDir: join(folder.path, 'renderer') }),
  }
})

test('a service whose address cannot be shown is closed before the command ends with the reason', async () => {
  const dataDir = join(folder.path, 'data')
  mkdirSync(join(folder.path, 'renderer'))
  writeFileSync(join(folder.path, 'renderer/index.html'), '<!doctype html>')
  const errors: string[] = []
  const streams = takePrinted((stream, text) => void (stream === 'err' && errors.push(text)))
  const show = vi.fn(async () => {
    expect(findRunningService(dataDir)).not.toBeNull()
    throw new Error('The desktop is away.')
  })
  try {
    expect(await serve(['--data-dir', dataDir, '--port', '0', '--log-level', 'silent'], show)).toBe(1)
  } finally {
    streams.restore()
  }
  expect(show).toHaveBeenCalledOnce()
  expect(errors.join('')).toContain('The desktop is away.')
  expect(findRunningService(dataDir)).toBeNull()
})
