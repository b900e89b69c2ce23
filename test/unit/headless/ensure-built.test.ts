import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ensureBuilt, isBuilt } from '../../../src/headless/ensure-built.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'assay-build-'))
  for (const source of ['src/main/index.ts', 'src/renderer/app/icon.svg', 'electron.vite.config.ts', 'package.json'])
    await put(source, 1000)
  for (const product of [
    'out/main/index.js',
    'out/main/service.js',
    'out/main/headless.js',
    'out/preload/index.cjs',
    'out/renderer/index.html',
  ])
    await put(product, 2000)
})
afterEach(() => rm(root, { recursive: true }))

/** Writes a file as if it had last changed at `seconds`. */
async function put(path: string, seconds: number): Promise<void> {
  const file = join(root, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, '{}')
  await utimes(file, seconds, seconds)
}

describe('the build', () => {
  test('is current while nothing is newer', () => {
    expect(isBuilt(root)).toBe(true)
  })

  test.each(['out/main/index.js', 'out/main/service.js', 'out/main/headless.js', 'out/preload/index.cjs', 'out/renderer/index.html'])(
    'is missing without %s',
    async product => {
      await rm(join(root, product))
      expect(isBuilt(root)).toBe(false)
    },
  )

  test.each(['src/main/index.ts', 'src/renderer/app/icon.svg', 'src/deeply/nested/new.ts', 'electron.vite.config.ts', 'package.json'])(
    'is stale when %s changes',
    async source => {
      await put(source, 3000)
      expect(isBuilt(root)).toBe(false)
    },
  )

  test('is stale when only one of its parts was made again', async () => {
    await put('src/main/index.ts', 3000)
    for (const product of ['out/main/index.js', 'out/main/service.js', 'out/main/headless.js', 'out/preload/index.cjs'])
      await put(product, 4000)
    expect(isBuilt(root)).toBe(false)
  })

  test('says what to do where the builder is not installed', async () => {
    await put('src/main/index.ts', 3000)
    await expect(ensureBuilt(root)).rejects.toThrow('Run "npm ci"')
  })

  test('shows what the builder said when it fails', async () => {
    await put('src/main/index.ts', 3000)
    await put('node_modules/electron-vite/cli.js', 1)
    await writeFile(
      join(root, 'node_modules/electron-vite/package.json'),
      JSON.stringify({ name: 'electron-vite', bin: { 'electron-vite': 'cli.js' } }),
    )
    await writeFile(join(root, 'node_modules/electron-vite/cli.js'), "console.error('line 7: unexpected token'); process.exit(3)")
    await expect(ensureBuilt(root)).rejects.toThrow(/The build failed.*line 7: unexpected token/s)
  })
})
