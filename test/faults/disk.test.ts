import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createHeadlessHost } from '../../src/headless/host.ts'
import { createService } from '../../src/service/create-service.ts'
import { examine } from '../../src/service/doctor/index.ts'
import { startTestService, temporaryFolder } from '../support/service.ts'

const folder = temporaryFolder()
const disk = join(folder.path, 'disk')
mkdirSync(disk)
const mounted = process.platform === 'linux' && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=12m,mode=0700', 'tmpfs', disk]).status === 0
const mount = (...options: string[]) => spawnSync('mount', [...options, disk]).status

afterAll(() => {
  if (mounted) spawnSync('umount', [disk])
  folder.remove()
})

/** Takes what is left of the disk. */
function fill(): void {
  const file = openSync(join(disk, 'filler'), 'a')
  try {
    for (let size = 65_536; size >= 1; ) {
      try {
        writeSync(file, Buffer.alloc(size))
      } catch {
        size = Math.floor(size / 2)
      }
    }
  } finally {
    closeSync(file)
  }
}

const unfilled = () => rmSync(join(disk, 'filler'), { force: true })

describe.skipIf(!mounted)('a disk of 12 MB (skipped where none can be mounted: that needs Linux and root)', () => {
  test('full disk: writes return 503 with the remedy, reads work, and everything resumes once there is space', async () => {
    await using service = await startTestService({ dataDir: disk, keepFree: 0 })
    const { client, keyClient } = service
    const report = (summary: string) => ({ body: { kind: 'bug', severity: 'degraded', summary } as const })
    await client.call('sendFeedback', report('before'))
    expect((await client.call('getHealth', {})).status).toBe('ok')

    // What ships with Assay is stored after the start; the disk fills up later.
    await client.call('listBenchmarks', {})
    fill()
    let refused = 0
    // What the log of changes has room for still goes through.
    for (let i = 0; i < 1500 && refused < 3; i++) {
      const reply = await service.fetch('/v1/workspaces', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: `w${i} ${'x'.repeat(150)}` }),
      })
      const text = await reply.text()
      if (reply.ok) continue
      refused++
      expect({ status: reply.status, text }).toMatchObject({ status: 503, text: expect.stringContaining('The disk is full') })
      expect(reply.headers.get('retry-after')).toBe('5')
    }
    expect(refused).toBe(3)
    const health = await client.call('getHealth', {})
    expect(health).toMatchObject({ status: 'degraded', storage: { state: 'full', message: expect.stringContaining('Free some space') } })
    // A key's last use cannot be noted, which is no reason to refuse it.
    for (const asker of [client, keyClient]) {
      expect((await asker.call('listFeedback', {})).items).toHaveLength(1)
      await asker.call('listBenchmarks', {})
    }

    unfilled()
    await expect.poll(async () => (await client.call('getHealth', {})).status).toBe('ok')
    await client.call('sendFeedback', report('after'))
    expect((await client.call('listFeedback', {})).items.map(({ summary }) => summary)).toEqual(['after', 'before'])
    const { findings } = examine({ dataDir: disk, backup: false, now: new Date() })
    expect(findings.filter(({ faults }) => faults.length > 0)).toEqual([])
  })

  test('that cannot be written is refused at the start in words, and left as it is', async () => {
    const before = readFileSync(join(disk, 'assay.db'))
    expect(mount('-o', 'remount,ro')).toBe(0)
    try {
      const config = { dataDir: disk, port: 0, portMayMove: false, rendererDir: null, logLevel: 'silent' as const }
      await expect(createService(config, createHeadlessHost(disk))).rejects.toThrow(/cannot be written.*Make it writable/)
      expect(existsSync(join(disk, 'service.json'))).toBe(false)
    } finally {
      mount('-o', 'remount,rw')
    }
    expect(readFileSync(join(disk, 'assay.db')).equals(before)).toBe(true)
  })
})

const image = join(folder.path, 'image')
const ext4 = join(folder.path, 'ext4')

/** A disk of its own, which can be made to fail as a real one does. */
function mountImage(): boolean {
  if (process.platform !== 'linux') return false
  mkdirSync(ext4)
  writeFileSync(image, '')
  truncateSync(image, 32 * 1024 * 1024)
  const run = (program: string, ...args: string[]) => spawnSync(program, args).status === 0
  return run('mkfs.ext4', '-q', '-F', image) && run('mount', '-o', 'loop,errors=remount-ro', image, ext4)
}
const imageMounted = mountImage()
afterAll(() => {
  if (imageMounted) spawnSync('umount', [ext4])
})

describe.skipIf(!imageMounted)(
  'a disk that turns read-only under a running service (skipped where no image can be mounted: that needs Linux and root)',
  () => {
    test('answers reads and refuses writes with 503 and what to do; what was stored before is there at the next start', async () => {
      const dataDir = join(ext4, 'data')
      const report = (summary: string) => ({ body: { kind: 'bug', severity: 'degraded', summary } }) as const
      const service = await startTestService({ dataDir, keepFree: 0 })
      try {
        const { client } = service
        await client.call('sendFeedback', report('before'))
        // What ext4 itself does when its disk fails: every file that is open for writing takes no more.
        expect(spawnSync('mount', ['-o', 'remount,abort', ext4]).status).toBe(0)
        const refused = await client.refusal('sendFeedback', report('during'))
        expect(refused).toMatchObject({
          status: 503,
          code: 'unavailable',
          message: expect.stringMatching(/cannot be written|fails to read or write/),
        })
        expect((await client.call('listFeedback', {})).items.map(({ summary }) => summary)).toEqual(['before'])
        const { status, storage } = await client.call('getHealth', {})
        expect({ status, state: storage.state }).toEqual({ status: 'degraded', state: expect.stringMatching(/read_only|failing/) })
      } finally {
        await service.close()
      }
      expect(spawnSync('umount', [ext4]).status).toBe(0)
      spawnSync('e2fsck', ['-p', '-f', image])
      expect(spawnSync('mount', ['-o', 'loop', image, ext4]).status).toBe(0)
      await using again = await startTestService({ dataDir, keepFree: 0 })
      expect((await again.client.call('listFeedback', {})).items.map(({ summary }) => summary)).toEqual(['before'])
      await again.client.call('sendFeedback', report('after'))
      const { findings } = examine({ dataDir, backup: false, now: new Date() })
      expect(findings.filter(({ faults }) => faults.length > 0)).toEqual([])
    })
  },
)
