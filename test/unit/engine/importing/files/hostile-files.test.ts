import { zstdCompressSync } from 'node:zlib'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { openZip } from '../../../../../src/engine/archives/read-zip.ts'
import { decodeBytes, peek } from '../../../../../src/engine/importing/files/decode-bytes.ts'
import { otherJson } from '../../../../../src/engine/importing/files/detect-form.ts'
import { importLimits } from '../../../../../src/engine/importing/files/limits.ts'
import { readCsv } from '../../../../../src/engine/importing/files/read-csv.ts'
import { readYaml } from '../../../../../src/engine/importing/files/read-yaml.ts'
import { makeZip } from '../../../../support/make-zip.ts'

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

test('a quote that closes far below costs as much time as the lines between', async () => {
  const took = async (lines: number) => {
    const text = `question,answer\n"a,b\n${'c,d\n'.repeat(lines)}x"y,z\n`
    const began = process.cpuUsage()
    const rows = await collect(readCsv(Readable.from([Buffer.from(text)]), importLimits))
    const { user, system } = process.cpuUsage(began)
    expect(rows.length).toBeGreaterThan(lines)
    return user + system
  }
  await took(1_000)
  const [some, more] = [await took(10_000), await took(80_000)]
  // Eight times the lines; a search from the beginning at each would take 64 times as long.
  expect(more).toBeLessThan(24 * some)
})

test.each([
  ['a blank line', (size: number) => `{}${'\n'.repeat(size)}x`],
  ['an object', (size: number) => `{}${'{}'.repeat(size / 2)}\n${' '.repeat(size / 2)}x`],
  ['a brace on a line', (size: number) => `{${'\n}'.repeat(size / 2)}`],
])('JSON with %s again and again is told in as much time as it has bytes', (_, text) => {
  const took = (size: number) => {
    const head = Buffer.from(text(size))
    const began = process.cpuUsage()
    for (let i = 0; i < 10; i++) expect(otherJson('json', head)).toBeNull()
    const { user, system } = process.cpuUsage(began)
    return user + system
  }
  took(1_000)
  // 16 times the bytes; a search from each would take 256 times as long. A tenth of a second is what a machine may take for itself.
  expect(took(32_000)).toBeLessThan(64 * took(2_000) + 100_000)
})

test('no more is looked at than is wanted, also of a file that comes as one chunk', async () => {
  const { head, whole } = await peek(Readable.from([Buffer.from('abcdef')]), 4)
  expect(head.toString()).toBe('abcd')
  expect(Buffer.concat(await collect(whole)).toString()).toBe('abcdef')
})

test('damage behind the first part of a zstd file is named', async () => {
  const part = zstdCompressSync(Buffer.from('{"a":1}\n'))
  const damaged = Buffer.from(part)
  damaged[0] = 0
  const read = (bytes: Buffer) => collect(decodeBytes(Readable.from([bytes]), importLimits))
  expect(Buffer.concat(await read(Buffer.concat([part, part]))).toString()).toBe('{"a":1}\n{"a":1}\n')
  for (const behind of [damaged, Buffer.from('garbage')])
    await expect(read(Buffer.concat([part, behind]))).rejects.toThrow(`is damaged after ${part.length} bytes`)
})

test('files of a zip that share their bytes are refused by name', () => {
  const zip = makeZip([
    { name: 'a.yaml', content: Buffer.from('x'.repeat(500)) },
    { name: 'b.yaml', content: Buffer.from('y'.repeat(500)) },
  ])
  expect(openZip(zip).sizeOf('b.yaml')).toBe(500)
  // The second entry of the directory is pointed at the first file.
  zip.writeUInt32LE(0, zip.lastIndexOf(Buffer.from('PK\u0001\u0002')) + 42)
  expect(() => openZip(zip)).toThrow('overlap in the archive')
})

test('an anchor that stands for a value that holds it is refused', () => {
  const file = (text: string) => ({ name: 'a.yaml', path: 'a.yaml', role: 'a', content: { bytes: Buffer.from(text), sha256: '' } })
  expect(() => readYaml(file('a: &p ["x", *p]'))).toThrow('repeats a value within itself')
  expect(readYaml(file('a: &p ["x"]\nb: [*p, *p]')).value).toEqual({ a: ['x'], b: [['x'], ['x']] })
})
