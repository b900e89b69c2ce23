import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { changesOf, prepareRelease } from '../../src/headless/packaging/release.ts'
import { isProgramBuilt } from '../support/program.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const container = readFileSync(join(root, 'resources/container/Containerfile'), 'utf8')

/** What a folder holds, as paths that do not name versions or hashes of files. */
const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(path => statSync(join(folder, path)).isFile())

/** Megabytes of a folder's files. */
const sizeOf = (folder: string) => filesOf(folder).reduce((sum, path) => sum + statSync(join(folder, path)).size, 0) / 1_000_000

describe.skipIf(!isProgramBuilt || process.platform === 'win32')('the package that npm installs (needs a build: "npm run build")', () => {
  let folder: string
  let release: string
  let prefix: string
  let env: NodeJS.ProcessEnv

  /** The command as a shell finds it, in an environment without the checkout. */
  const assay = async (...args: string[]) => (await promisify(execFile)('assay', args, { env, cwd: folder, maxBuffer: 50_000_000 })).stdout

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-installed-'))
    release = join(folder, 'release')
    prefix = join(folder, 'prefix')
    await prepareRelease(release)
    env = {
      PATH: [join(prefix, 'bin'), dirname(process.execPath), process.env['PATH']].join(':'),
      HOME: folder,
      ASSAY_DATA_DIR: join(folder, 'data'),
    }
    // The container's own steps, without the container: its first folder is this one.
    await cp(join(release, tarballIn(release)), join(folder, 'assay.tgz'))
    const [install] = container.matchAll(/^RUN (npm install .*) \/tmp\/assay\.tgz$/gm)
    if (install?.[1] === undefined) throw new Error('The Containerfile does not install the package.')
    await promisify(execFile)('sh', ['-c', `${install[1]} --prefix "${prefix}" --cache "${join(folder, 'cache')}" "${folder}/assay.tgz"`], {
      env: { ...process.env, ...env },
    })
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('holds the built program, its resources and its commands, and nothing of the sources or the desktop window', () => {
    const installed = join(prefix, 'lib/node_modules/assay')
    const files = filesOf(installed).filter(path => !path.startsWith('node_modules'))
    expect([...new Set(files.map(path => path.split('/').slice(0, 2).join('/')))].toSorted()).toEqual([
      'LICENSE',
      'README.md',
      'bin/assay.mjs',
      'npm-shrinkwrap.json',
      'out/main',
      'out/renderer',
      'package.json',
      'resources/CHANGELOG.md',
      'resources/THIRD-PARTY-NOTICES.md',
      'resources/benchmarks',
      'resources/ci',
      'resources/connection-presets.json',
      'resources/container',
      'resources/demo',
      'resources/docs',
      'resources/sandbox',
      'resources/suites',
      'resources/team',
      'resources/worlds',
    ])
    expect(files.filter(path => /\.(map|tsx?|mts)$/.test(path))).toEqual([])
    expect(existsSync(join(installed, 'node_modules/electron'))).toBe(false)
    expect(statSync(join(release, tarballIn(release))).size).toBeLessThan(60_000_000)
    expect(sizeOf(prefix)).toBeLessThan(300)
  })

  test('is described by a bill of materials, checksums and the changelog’s section, the same bytes a second time', async () => {
    const again = join(folder, 'again')
    await prepareRelease(again)
    const read = (name: string) => readFile(join(again, name))
    for (const name of readdirSync(release)) expect((await read(name)).equals(await readFile(join(release, name))), name).toBe(true)
    const bom = z
      .object({ bomFormat: z.literal('CycloneDX'), components: z.array(z.object({ name: z.string(), version: z.string() })) })
      .parse(JSON.parse(String(await read(tarballIn(release).replace('.tgz', '.cdx.json')))))
    const names = bom.components.map(({ name }) => name)
    // Installed beside it, built into the service, built into the pages; not what only builds or tests.
    expect(names).toEqual(expect.arrayContaining(['better-sqlite3', 'fastify', 'react']))
    expect(names.filter(name => ['vitest', 'electron-builder', 'typescript'].includes(name))).toEqual([])
  })

  test('says what to do, and whether a newer version is published only when it is asked to', async () => {
    expect(await assay()).toContain('assay open ')
    expect((await assay('version')).trim()).toBe(
      z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).version,
    )
    await expect(assay('version', '--check', '--registry', 'http://127.0.0.1:9')).rejects.toThrow('http://127.0.0.1:9 could not be asked')
  })

  test('starts, runs a baseline to a report, and leaves nothing but its data when it is stopped', async () => {
    const service = spawn('assay', ['open', '--no-open', '--port', '0'], { env, cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
    try {
      let page: string | undefined
      for await (const line of createInterface(service.stdout)) {
        page ??= /http:\/\/127\.0\.0\.1:\d+\/#pair=[\w-]+/.exec(line)?.[0]
        if (line.startsWith('Data:')) break
      }
      if (page === undefined) throw new Error('The command ended, or said no address.')
      expect(await (await fetch(page)).text()).toContain('<title>Assay')
      const run = await assay('run', '--model', 'assay/oracle-75', '--benchmark', 'logic-choice', '--sample', '20', '--wait', '--json')
      const { run_id: id } = z.object({ run_id: z.string() }).parse(JSON.parse(run))
      await assay('export', id, '--format', 'html', '--output', join(folder, 'report.html'))
      expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('assay/oracle-75')
      // What a checkout is told by "npm run" is told by the command here.
      expect(await assay('pair')).toMatch(/enter \w{4}-\w{4}/)
    } finally {
      if (service.exitCode === null) {
        service.kill('SIGTERM')
        await once(service, 'close')
      }
    }
    expect(service.exitCode).toBe(0)
    await expect(assay('pair')).rejects.toThrow('Start it with "assay serve"')
    expect(readdirSync(folder).toSorted()).toEqual(['again', 'assay.tgz', 'cache', 'data', 'prefix', 'release', 'report.html'])
  })
})

test('the container runs as no root user and stores in its volume alone', () => {
  const lines = container.split('\n')
  expect(lines).toEqual(expect.arrayContaining(['USER node', 'VOLUME /data', 'ENV ASSAY_DATA_DIR=/data']))
  expect(lines.findIndex(line => line.startsWith('USER'))).toBeGreaterThan(lines.findLastIndex(line => line.startsWith('RUN')))
})

test('takes the section of a version from the changelog, or what is unreleased', () => {
  const changelog = '# Changelog\n\n## Unreleased\n\n- New\n\n## 1.2.0\n\n- Old\n'
  expect(changesOf('1.2.0', changelog)).toBe('## 1.2.0\n\n- Old\n')
  expect(changesOf('1.3.0', changelog)).toBe('## Unreleased\n\n- New\n\n')
  expect(() => changesOf('1.3.0', '# Changelog\n')).toThrow('no section for 1.3.0')
})

function tarballIn(folder: string): string {
  return readdirSync(folder).find(name => name.endsWith('.tgz')) ?? ''
}
