import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import {
  fromFolder,
  installedRuntime,
  installRuntime,
  removeRuntime,
  runtimeFolder,
} from '../../../../src/service/local-models/install-runtime.ts'
import { npmRegistry } from '../../../../src/engine/clients/http/npm-registry.ts'
import { commonPackages, type LockedPackage, nativePackages } from '../../../../src/service/local-models/runtime-lock.ts'
import { backendsFor, packagesFor, tarballName, tarballPath } from '../../../../src/service/local-models/runtime-packages.ts'
import { makeTar } from '../../../support/make-tar.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

function folder(): string {
  const { path, remove } = temporaryFolder()
  onTestFinished(remove)
  return path
}

/** Tarballs as `npm pack` makes them, and the lock of them. */
function packed(names: readonly string[]): { from: string; packages: LockedPackage[] } {
  const from = folder()
  const packages = names.map(name => {
    const tarball = gzipSync(
      makeTar([
        { name: 'package/package.json', content: Buffer.from(JSON.stringify({ name })) },
        { name: 'package/link', content: Buffer.alloc(0), kind: '2' },
      ]),
    )
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
    const locked = { path: name, name, version: '1.0.0', integrity, bytes: tarball.length, unpackedBytes: 100 }
    writeFileSync(join(from, tarballName(locked)), tarball)
    return locked
  })
  return { from, packages }
}

function order(dataDir: string, { from, packages }: ReturnType<typeof packed>) {
  return {
    dataDir,
    packages,
    backend: 'cpu' as const,
    fetchTarball: fromFolder(from),
    installedAt: '2026-11-28T08:00:00.000Z',
    signal: new AbortController().signal,
    onProgress: () => {},
  }
}

test('unpacks files and no links, and states what is installed', async () => {
  const dataDir = folder()
  await installRuntime(order(dataDir, packed(['@scope/a', 'b'])))
  expect(installedRuntime(dataDir)).toEqual({ version: '3.21.1', backend: 'cpu', installed_at: '2026-11-28T08:00:00.000Z' })
  const unpacked = join(runtimeFolder(dataDir), 'node_modules', '@scope', 'a')
  expect(readdirSync(unpacked)).toEqual(['package.json'])
  expect(readdirSync(join(dataDir, 'runtimes'))).toEqual(['llama-3.21.1'])
  removeRuntime(dataDir)
  expect(installedRuntime(dataDir)).toBeNull()
  expect(readdirSync(join(dataDir, 'runtimes'))).toEqual([])
})

test('refuses a tarball whose digest differs, names it and keeps what was installed', async () => {
  const dataDir = folder()
  const good = packed(['a'])
  await installRuntime(order(dataDir, good))
  const bad = packed(['a', 'b'])
  writeFileSync(join(bad.from, 'b-1.0.0.tgz'), 'something else')
  await expect(installRuntime(order(dataDir, bad))).rejects.toThrow(/b 1\.0\.0 is not the file that Assay expects/)
  expect(installedRuntime(dataDir)).not.toBeNull()
  expect(readdirSync(join(dataDir, 'runtimes'))).toEqual(['llama-3.21.1'])
})

test('names a missing tarball and how to get it', async () => {
  const missing = packed(['a'])
  await expect(installRuntime({ ...order(folder(), missing), fetchTarball: fromFolder(folder()) })).rejects.toThrow(
    /a-1\.0\.0\.tgz is missing in .*npm pack a@1\.0\.0/,
  )
})

test('leaves nothing usable when cut off, and the next install removes what was left', async () => {
  const dataDir = folder()
  const given = packed(['a', 'b'])
  const stop = new AbortController()
  const cut = { ...order(dataDir, given), signal: stop.signal, onProgress: () => stop.abort() }
  await expect(installRuntime(cut)).rejects.toThrow()
  expect(installedRuntime(dataDir)).toBeNull()
  // What a killed process leaves.
  mkdirSync(join(dataDir, 'runtimes', '.install-1-1', 'node_modules'), { recursive: true })
  expect(installedRuntime(dataDir)).toBeNull()
  await installRuntime(order(dataDir, given))
  expect(readdirSync(join(dataDir, 'runtimes'))).toEqual(['llama-3.21.1'])
})

test('keeps what was installed when the new runtime does not load', async () => {
  const dataDir = folder()
  await installRuntime(order(dataDir, packed(['a'])))
  const tryOut = () => Promise.reject(new Error('It does not load.'))
  await expect(installRuntime({ ...order(dataDir, packed(['b'])), tryOut })).rejects.toThrow('It does not load.')
  expect(existsSync(join(runtimeFolder(dataDir), 'node_modules', 'a'))).toBe(true)
})

test.each([
  ['a full disk', Object.assign(new Error('write'), { code: 'ENOSPC' }), /The disk is full, so the runtime was not installed/],
  ['a quota', Object.assign(new Error('write'), { code: 'EDQUOT' }), /The disk is full/],
])('says in a sentence that %s ended it', async (_what, error, sentence) => {
  await expect(installRuntime({ ...order(folder(), packed(['a'])), fetchTarball: () => Promise.reject(error) })).rejects.toThrow(sentence)
})

test('says how much space is missing before anything is fetched', async () => {
  const given = packed(['a'])
  const huge = given.packages.map(one => ({ ...one, unpackedBytes: 1e15 }))
  const fetchTarball = () => Promise.reject(new Error('fetched'))
  await expect(installRuntime({ ...order(folder(), given), packages: huge, fetchTarball })).rejects.toThrow(
    /The runtime needs 1,?000 TB and .* is free/,
  )
})

test('locks every package with a SHA-512, the one build for each backend included', () => {
  for (const { integrity, version, bytes } of [...commonPackages, ...nativePackages]) {
    expect(integrity).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/)
    expect(version).toMatch(/^\d+\.\d+\.\d+/)
    expect(bytes).toBeGreaterThan(0)
  }
  expect(new Set(commonPackages.map(({ path }) => path)).size).toBe(commonPackages.length)
  expect(backendsFor('linux', 'x64')).toEqual(['cpu', 'vulkan', 'cuda'])
  expect(backendsFor('darwin', 'arm64')).toEqual(['cpu', 'metal'])
  expect(backendsFor('freebsd', 'x64')).toEqual([])
  expect(packagesFor('metal', 'linux', 'x64')).toBeNull()
  const cuda = packagesFor('cuda', 'win32', 'x64') ?? []
  expect(cuda.slice(commonPackages.length).map(({ name }) => name)).toEqual([
    '@node-llama-cpp/win-x64',
    '@node-llama-cpp/win-x64-cuda',
    '@node-llama-cpp/win-x64-cuda-ext',
  ])
})

test('names tarballs as npm does, in folders and registries', () => {
  const scoped = { name: '@node-llama-cpp/linux-x64', version: '3.21.1' }
  expect(tarballName(scoped)).toBe('node-llama-cpp-linux-x64-3.21.1.tgz')
  expect(tarballPath(scoped)).toBe('@node-llama-cpp/linux-x64/-/linux-x64-3.21.1.tgz')
})

test('asks the registry that npm is configured for, and none where there is no npm to say it', async () => {
  const home = folder()
  const npm = () => Promise.resolve('https://default.example\n')
  expect(await npmRegistry({ npm_config_registry: 'https://npm.example/mirror' }, home, npm)).toBe('https://npm.example/mirror/')
  writeFileSync(join(home, '.npmrc'), '//npm.example/:_authToken=secret\nregistry = https://npm.example/\n')
  expect(await npmRegistry({}, home, npm)).toBe('https://npm.example/')
  writeFileSync(join(home, '.npmrc'), 'registry = nonsense\n')
  expect(await npmRegistry({}, home, npm)).toBe('https://default.example/')
  expect(await npmRegistry({}, home, () => Promise.resolve(null))).toBeNull()
})
