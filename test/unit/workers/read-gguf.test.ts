import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import readGguf from '../../../src/workers/read-gguf.worker.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { tinyModel } from '../../support/tiny-model.ts'

/** The type of a value in GGUF's metadata. */
const int32 = 5

test('a size below zero is unknown', async () => {
  const folder = temporaryFolder()
  onTestFinished(() => folder.remove())
  const path = tinyModel().write(folder.path, 'below.gguf', gguf => {
    const at = gguf.indexOf('llama.context_length') + 'llama.context_length'.length
    gguf.writeUInt32LE(int32, at)
    gguf.writeInt32LE(-5, at + 4)
    return gguf
  })
  expect(await readGguf({ path })).toMatchObject({ ok: true, facts: { contextTokens: null, layers: expect.any(Number) } })
})

/** A header of these values and tensors, with nothing behind it. */
function header(values: readonly (readonly [key: string, type: number, value: Buffer])[], tensors: readonly (readonly bigint[])[]): Buffer {
  const u32 = (n: number) => Buffer.from(Uint32Array.of(n).buffer)
  const u64 = (n: bigint | number) => Buffer.from(BigUint64Array.of(BigInt(n)).buffer)
  const named = (text: string) => Buffer.concat([u64(Buffer.byteLength(text)), Buffer.from(text)])
  return Buffer.concat([
    Buffer.from('GGUF'),
    u32(3),
    u64(tensors.length),
    u64(values.length),
    ...values.flatMap(([key, type, value]) => [named(key), u32(type), value]),
    ...tensors.flatMap((shape, i) => [named(`t${i}`), u32(shape.length), ...shape.map(u64), u32(0), u64(0)]),
    Buffer.alloc(64),
  ])
}
const text = (value: string): readonly [number, Buffer] => [
  8,
  Buffer.concat([Buffer.from(BigUint64Array.of(BigInt(value.length)).buffer), Buffer.from(value)]),
]
const double = (value: number): readonly [number, Buffer] => [12, Buffer.from(Float64Array.of(value).buffer)]

async function readHeader(bytes: Buffer) {
  const folder = temporaryFolder()
  onTestFinished(() => folder.remove())
  const path = join(folder.path, 'made.gguf')
  writeFileSync(path, bytes)
  return readGguf({ path })
}

test('long texts are cut, and sizes that no model has are unknown', async () => {
  const values = [
    ['general.architecture', ...text('x'.repeat(500_000))],
    ['general.name', ...text('n'.repeat(500_000))],
    [`${'x'.repeat(200)}.context_length`, ...double(1e300)],
    [`${'x'.repeat(200)}.block_count`, ...double(Number.NaN)],
    [`${'x'.repeat(200)}.embedding_length`, ...double(2 ** 40)],
    [`${'x'.repeat(200)}.attention.head_count`, ...double(1e-300)],
  ] as const
  const read = await readHeader(header(values, [[8n, 8n]]))
  expect(read).toMatchObject({
    ok: true,
    facts: { architecture: 'x'.repeat(200), name: 'n'.repeat(200), contextTokens: null, layers: null, keyValueWidth: null },
  })
})

test.each([
  ['shapes larger than any file', Array.from({ length: 8 }, () => Array.from({ length: 8 }, () => 2n ** 32n)), []],
  ['a shape that overflows', [[2n ** 64n - 1n, 2n ** 64n - 1n]], []],
  ['more dimensions than a tensor has', [Array.from({ length: 1000 }, () => 1n)], []],
  ['a list longer than the file', [], [['general.tags', 9, Buffer.from(Uint32Array.of(8, 0, 2 ** 30).buffer)] as const]],
])('%s are refused in words', async (_, tensors, values) => {
  const read = await readHeader(header(values, tensors))
  expect(read).toEqual({ ok: false, reason: expect.stringContaining('header cannot be read') })
})

test('tensors that share bytes are refused by their names', async () => {
  const read = await readHeader(
    header(
      [['general.architecture', ...text('llama')]],
      [
        [2n, 2n],
        [1n, 1n],
      ],
    ),
  )
  expect(read).toEqual({ ok: false, reason: expect.stringMatching(/its tensors "t\d" and "t\d" overlap\. Download it again\.$/) })
})

test.each([
  ['2^31', 2 ** 31, { ok: true, facts: { missingBytes: expect.closeTo(2 ** 31, -3) } }],
  ['not a power of two', 24, { ok: false, reason: 'Its header cannot be read: its alignment is not a power of two. Download it again.' }],
])('an alignment of %s puts no tensors before the file', async (_, alignment, expected) => {
  const number = (value: number) => [4, Buffer.from(Uint32Array.of(value).buffer)] as const
  const bytes = header(
    [
      ['general.architecture', ...text('llama')],
      ['general.alignment', ...number(alignment)],
    ],
    [[4n]],
  )
  expect(await readHeader(bytes)).toMatchObject(expected)
})

test('a context and layers of 0 are unknown', async () => {
  const zero = [4, Buffer.alloc(4)] as const
  const bytes = header(
    [
      ['general.architecture', ...text('llama')],
      ['llama.context_length', ...zero],
      ['llama.block_count', ...zero],
    ],
    [[4n]],
  )
  expect(await readHeader(bytes)).toMatchObject({ ok: true, facts: { contextTokens: null, layers: null } })
})

test('a text longer than the file leaves the file cut off', async () => {
  const read = await readHeader(header([['general.name', 8, Buffer.from(BigUint64Array.of(9_000_000n).buffer)]], []))
  expect(read.ok && read.facts.missingBytes).toBeGreaterThan(8_000_000)
})
