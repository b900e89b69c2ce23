import { zstdCompressSync } from 'node:zlib'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { openZip } from '../../../../../src/engine/archives/read-zip.ts'
import { decodeBytes } from '../../../../../src/engine/importing/files/decode-bytes.ts'
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
