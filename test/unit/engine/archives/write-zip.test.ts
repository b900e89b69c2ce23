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

/** The archive as programs write it that use the zip64 form for every file: the full fields of an entry stand for those of its extra field. */
function withWideEntry(bytes: Buffer, change: (extra: Buffer) => void = () => undefined): Buffer {
  const end = bytes.length - 22
  const from = bytes.readUInt32LE(end + 16)
  const entry = Buffer.from(bytes.subarray(from, end))
  const nameLength = entry.readUInt16LE(28)
  // Another field comes first.
  const extra = Buffer.alloc(6 + 4 + 24)
  extra.writeUInt16LE(0x7855, 0)
  extra.writeUInt16LE(2, 2)
  extra.writeUInt16LE(1, 6)
  extra.writeUInt16LE(24, 8)
  for (const [i, field] of [24, 20, 42].entries()) {
    extra.writeBigUInt64LE(BigInt(entry.readUInt32LE(field)), 10 + 8 * i)
    entry.writeUInt32LE(0xffffffff, field)
  }
  change(extra)
  const old = entry.readUInt16LE(30)
  entry.writeUInt16LE(extra.length, 30)
  const tail = Buffer.from(bytes.subarray(end))
  tail.writeUInt32LE(46 + nameLength + extra.length + entry.readUInt16LE(32), 12)
  return Buffer.concat([bytes.subarray(0, from), entry.subarray(0, 46 + nameLength), extra, entry.subarray(46 + nameLength + old), tail])
}

test('reads the sizes and the place of a file from its zip64 field', async () => {
  const bytes = await zipOf([['rows.jsonl', '{"input":"1"}\n'.repeat(100)]])
  const wide = openZip(withWideEntry(bytes))
  expect([wide.sizeOf('rows.jsonl'), wide.read('rows.jsonl').toString()]).toEqual([1400, '{"input":"1"}\n'.repeat(100)])
  expect(() => checkZipStrictly(withWideEntry(bytes))).toThrow()
})

test.each<[name: string, change: (extra: Buffer) => void]>([
  ['places a file beyond the archive', extra => extra.writeBigUInt64LE(1n << 62n, 26)],
  ['is cut', extra => extra.writeUInt16LE(12, 8)],
  ['is not there', extra => extra.writeUInt16LE(9, 6)],
])('a zip64 field that %s is refused', async (_, change) => {
  const bytes = await zipOf([['rows.jsonl', '{"input":"1"}\n']])
  expect(() => openZip(withWideEntry(bytes, change))).toThrow('"rows.jsonl" is damaged')
})
