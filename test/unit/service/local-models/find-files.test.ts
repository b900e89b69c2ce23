import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findFiles, wellKnownFolders } from '../../../../src/service/local-models/find-files.ts'
import { fitOf, groupFiles, type ReadFile } from '../../../../src/service/local-models/group-files.ts'
import type { GgufFacts } from '../../../../src/workers/gguf-header.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

function folder(): string {
  const { path, remove } = temporaryFolder()
  onTestFinished(remove)
  return path
}

const facts: GgufFacts = {
  kind: 'model',
  name: 'Model',
  architecture: 'llama',
  parameters: 1_000,
  quantization: 'Q4_K_M',
  contextTokens: 8_192,
  hasTemplate: true,
  layers: 32,
  keyValueWidth: 1_024,
  split: null,
  missingBytes: 0,
}
const read = (path: string, over: Partial<GgufFacts> = {}): ReadFile => ({
  path,
  bytes: 100,
  modifiedMs: 1,
  header: { ok: true, facts: { ...facts, ...over } },
  sha256: null,
  isAdded: false,
  location: 'added',
  givenName: null,
})

test('finds files below a folder, follows links and ends in loops of them', async () => {
  const root = folder()
  mkdirSync(join(root, 'a', 'b'), { recursive: true })
  writeFileSync(join(root, 'a', 'b', 'one.gguf'), 'x')
  writeFileSync(join(root, 'a', 'readme.md'), 'x')
  symlinkSync(root, join(root, 'a', 'loop'))
  symlinkSync(join(root, 'a', 'self'), join(root, 'a', 'self'))
  symlinkSync(join(root, 'a', 'b', 'one.gguf'), join(root, 'again.gguf'))
  const { files, problem } = await findFiles({ path: root, location: 'added' })
  expect(files).toHaveLength(1)
  expect(problem).toBeNull()
})

test('says that a folder is gone, may not be read, or holds too much', async () => {
  const root = folder()
  expect((await findFiles({ path: join(root, 'none'), location: 'added' })).problem).toBe('It no longer exists.')
  for (let i = 0; i < 20_001; i++) writeFileSync(join(root, `${i}.txt`), '')
  const { files, problem } = await findFiles({ path: root, location: 'added' })
  expect(files).toEqual([])
  expect(problem).toMatch(/^It holds more than 20,000 files/)
})

test.skipIf(process.getuid?.() === 0 || process.platform === 'win32')('says that a folder may not be read', async () => {
  const root = folder()
  chmodSync(root, 0)
  expect((await findFiles({ path: root, location: 'added' })).problem).toMatch(/may not be read/)
  chmodSync(root, 0o700)
})

test('reads the names of Ollama’s models from their manifests', async () => {
  const root = folder()
  const digest = 'a'.repeat(64)
  mkdirSync(join(root, 'manifests', 'registry', 'library', 'llama3'), { recursive: true })
  mkdirSync(join(root, 'blobs'))
  const layers = [{ mediaType: 'application/vnd.ollama.image.model', digest: `sha256:${digest}` }]
  writeFileSync(join(root, 'manifests', 'registry', 'library', 'llama3', '8b'), JSON.stringify({ layers }))
  writeFileSync(join(root, 'manifests', 'registry', 'library', 'llama3', 'broken'), '{')
  writeFileSync(join(root, 'blobs', `sha256-${digest}`), 'GGUF')
  expect((await findFiles({ path: root, location: 'ollama' })).files).toMatchObject([{ name: 'llama3:8b', bytes: 4 }])
})

test('knows the folders of other programs, and only those that exist', () => {
  const home = folder()
  mkdirSync(join(home, '.lmstudio', 'models'), { recursive: true })
  mkdirSync(join(home, 'hub'))
  const found = wellKnownFolders({ HF_HUB_CACHE: join(home, 'hub') }, home).filter(({ path }) => path.startsWith(home))
  expect(found).toEqual([
    { location: 'lm_studio', path: join(home, '.lmstudio', 'models') },
    { location: 'hugging_face', path: join(home, 'hub') },
  ])
})

test('takes the parts of a split model as one and names a missing part', () => {
  const parts = [1, 2, 3].map(no => read(`/m/big-0000${no}-of-00003.gguf`))
  expect(groupFiles(parts).models).toMatchObject([{ name: 'big', bytes: 300, problem: null, facts: { parameters: 3_000 } }])
  const [without] = groupFiles(parts.toSpliced(1, 1)).models
  expect(without?.problem).toBe('A part is missing: big-00002-of-00003.gguf. Download it into the same folder.')
  const cut = parts.with(2, read('/m/big-00003-of-00003.gguf', { missingBytes: 5 }))
  expect(groupFiles(cut).models[0]?.problem).toMatch(/big-00003-of-00003\.gguf is cut off or damaged/)
})

test('sets projectors, adapters, vocabularies and embeddings apart, and files that cannot be read', () => {
  const { models, others } = groupFiles([
    read('/m/mmproj.gguf', { kind: 'projector' }),
    read('/m/lora.gguf', { kind: 'adapter' }),
    read('/m/vocab.gguf', { kind: 'vocabulary' }),
    read('/m/bge.gguf', { kind: 'embedding' }),
    { ...read('/m/bad.gguf'), header: { ok: false, reason: 'It is no GGUF file.' } },
  ])
  expect(models).toEqual([])
  expect(others.map(({ kind }) => kind)).toEqual(['projector', 'adapter', 'vocabulary', 'embedding', 'unreadable'])
})

test('counts weights and the cache of all requests against the memory', () => {
  const fit = (bytes: number) =>
    fitOf({ facts, bytes }, { context_tokens: 4_096, parallel: 4, cache_type: 'f16' }, { freeBytes: 8e9, totalBytes: 16e9 })
  // 2 (keys and values) × 2 bytes × 32 layers × 1,024 values × 4,096 tokens × 4 requests
  expect(fit(0).needed_bytes).toBe(2 * 2 * 32 * 1_024 * 4_096 * 4 + 200_000_000)
  expect(fit(4e9).status).toBe('yes')
  expect(fit(10e9).status).toBe('slow')
  expect(fit(70e9).status).toBe('no')
  expect(
    fitOf(
      { facts: { ...facts, contextTokens: 512 }, bytes: 0 },
      { context_tokens: 4_096, parallel: 1, cache_type: 'f16' },
      { freeBytes: 1, totalBytes: 1 },
    ).context_tokens,
  ).toBe(512)
})
