import { expect, test } from 'vitest'
import { checkZipStrictly } from '../../../../src/engine/archives/check-zip.ts'
import { openZip } from '../../../../src/engine/archives/read-zip.ts'
import { createZip } from '../../../../src/engine/archives/write-zip.ts'

async function zipOf(entries: readonly (readonly [name: string, content: string])[]): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  const zip = createZip(chunk => void chunks.push(chunk))
  for (const [name, content] of entries) await zip.add(name, content)
  await zip.end()
  return Buffer.concat(chunks)
}

test('writes an archive that the strict reader takes, the same bytes each time', async () => {
  const entries = [
    ['header.json', '{}'],
    ['samples/ä b_epoch_1.json', 'x'.repeat(5_000)],
    ['empty', ''],
  ] as const
  const bytes = await zipOf(entries)
  expect(() => checkZipStrictly(bytes)).not.toThrow()
  const archive = openZip(bytes)
  expect(archive.names.map(name => [name, archive.read(name).toString('utf8')])).toEqual(entries)
  expect(await zipOf(entries)).toEqual(bytes)
})

test('uses the zip64 form for more entries than the plain one can count', async () => {
  const count = 65_536
  const bytes = await zipOf(Array.from({ length: count }, (_, i) => [String(i), ''] as const))
  const end = bytes.length - 22
  expect(bytes.readUInt16LE(end + 10)).toBe(0xffff)
  const record = Number(bytes.readBigUInt64LE(end - 20 + 8))
  expect(bytes.readUInt32LE(record)).toBe(0x06064b50)
  expect(Number(bytes.readBigUInt64LE(record + 32))).toBe(count)
  expect(openZip(bytes).names).toHaveLength(count)
  for (const [at, damage] of [
    [record, 1n],
    [record + 32, 1n << 40n],
    [record + 48, 1n << 60n],
    [end - 20 + 8, 1n << 63n],
  ] as const) {
    const broken = Buffer.from(bytes)
    broken.writeBigUInt64LE(damage, at)
    expect(() => openZip(broken)).toThrow(/damaged|holds more than/)
  }
})

test('an archive that lists more files than it counts is refused, in place of read in part', async () => {
  const bytes = await zipOf([
    ['a', '1'],
    ['b', '2'],
  ])
  bytes.writeUInt16LE(1, bytes.length - 22 + 8)
  bytes.writeUInt16LE(1, bytes.length - 22 + 10)
  expect(() => openZip(bytes)).toThrow('says that it holds 1 files and lists more')
})

test('writes silence and rows that are alike so that readers do not take them for a bomb', async () => {
  const alike = '{"input":"the same"}\n'.repeat(200_000)
  const archive = openZip(
    await zipOf([
      ['rows.jsonl', alike],
      ['silence', '\0'.repeat(3_000_000)],
    ]),
  )
  expect(archive.read('rows.jsonl').toString()).toBe(alike)
  expect(archive.read('silence')).toHaveLength(3_000_000)
})
