import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { invokeChannels } from '../../../src/main/channels.ts'
import { patience, slowness } from '../../support/machine-speed.ts'

const entry = fileURLToPath(new URL('../../../out/main/index.js', import.meta.url))
const preload = fileURLToPath(new URL('../../../out/preload/index.cjs', import.meta.url))
const hooks = new URL('./built-entry/register.ts', import.meta.url).href

describe.skipIf(!existsSync(entry))(
  'the built desktop entry under plain Node, Electron played by a stand-in (needs "npm run build" first)',
  () => {
    let dir: string
    let seen: Record<string, unknown>

    beforeAll(async () => {
      dir = await mkdtemp(join(tmpdir(), 'assay-built-'))
      const args = ['--import', hooks, entry, '--data-dir', join(dir, 'data'), '--port', '0']
      // It ends by itself once it has quit: anything left open would keep it until the timeout.
      const { stdout } = await promisify(execFile)(process.execPath, args, {
        env: { ...process.env, ASSAY_TEST_PROFILE: dir },
        timeout: 60_000 * patience(),
      })
      seen = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
    })
    afterAll(() => rm(dir, { recursive: true }))

    test('serves the built page to a window that is signed in, and nothing to a stranger', () => {
      expect(seen).toMatchObject({ page: [200, expect.stringContaining('text/html')], signedIn: 200, stranger: 401 })
      expect(seen['visited']).toEqual([seen['origin']])
    })

    test('turns the sandbox on first and gives the window the built preload script', () => {
      expect(seen['calls']).toEqual(expect.arrayContaining(['enableSandbox', 'whenReady']))
      expect(seen['options']).toMatchObject({
        webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false, webSecurity: true, preload },
      })
      expect(existsSync(preload)).toBe(true)
    })

    test('holds up menus and window drags for less than 50 ms beside a run of 10,000 samples', () => {
      expect(seen['run']).toMatchObject({ status: 'complete', samples: 10_260 })
      // Of processor time: what the machine does besides delays a turn, and no shell can help it.
      expect(Number(Object(seen['run'])['longestTurnMs'])).toBeLessThan(50 * slowness())
    })

    test('answers its channels and no other', () => {
      expect(seen['channels']).toEqual([...invokeChannels])
    })

    test('leaves a closed database and no service file behind', async () => {
      const left = await readdir(join(dir, 'data'))
      expect(left).toContain('assay.db')
      expect(left.filter(name => /^service\.json|-wal$|-shm$/.test(name))).toEqual([])
    })
  },
)
