import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ArchiveError } from '../../../../../src/engine/archives/archive.ts'
import { sourceOfFile } from '../../../../../src/engine/archives/byte-source.ts'
import { openZip } from '../../../../../src/engine/archives/read-zip.ts'
import { openArchiveFile } from '../../../../../src/engine/importing/files/unpack-folder.ts'
import { temporaryFolder } from '../../../../support/service.ts'
import { makeZip } from '../../../../support/make-zip.ts'

const shared = new URL('../../../../../../shared/badinput/own/zips/', import.meta.url)
const text = (value: string) => Buffer.from(value)

function readAll(bytes: Buffer): string[] {
  const zip = openZip(bytes)
  return zip.names.map(name => zip.read(name).toString('utf8'))
}

describe('a zip archive', () => {
  test('is read from memory', () => {
    const zip = openZip(
      makeZip([
        { name: 'a/b.txt', content: text('hello') },
        { name: 'ä.txt', content: text('') },
      ]),
    )
    expect(zip.names).toEqual(['a/b.txt', 'ä.txt'])
    expect(zip.read('a/b.txt').toString()).toBe('hello')
    expect(() => zip.read('c')).toThrow('The archive has no file "c".')
  })

  test.each([
    ['a name that leaves it', [{ name: '../x', content: text('') }], /refused/],
    ['an absolute name', [{ name: '/etc/x', content: text('') }], /refused/],
    [
      'names that differ only in case',
      [
        { name: 'A', content: text('') },
        { name: 'a', content: text('') },
      ],
      /twice/,
    ],
    [
      'names that differ only in how they are composed',
      [
        { name: '\u00e9', content: text('') },
        { name: 'e\u0301', content: text('') },
      ],
      /twice/,
    ],
    ['what unpacks to far more than it should', [{ name: 'a', content: Buffer.alloc(20 << 20) }], /more than 200 times/],
    [
      'many files that unpack to far more together',
      Array.from({ length: 30 }, (_, i) => ({ name: `a${i}`, content: Buffer.alloc(1_000_000) })),
      /over 200 times its size/,
    ],
  ])('is refused with %s', (_, files, message) => expect(() => readAll(makeZip(files))).toThrow(message))

  test('is read from a file as from memory, again and again', () => {
    const folder = temporaryFolder()
    const path = join(folder.path, 'a.zip')
    const content = randomBytes(100_000)
    writeFileSync(
      path,
      makeZip([
        { name: 'a', content },
        { name: 'b', content: text('') },
      ]),
    )
    const zip = openZip(sourceOfFile(path))
    expect([zip.names, zip.sizeOf('a')]).toEqual([['a', 'b'], 100_000])
    // All that is read of it may be 2 GB; a file that is read again counts once.
    for (let i = 0; i < 100; i++) expect(zip.read('b')).toHaveLength(0)
    expect(zip.read('a').equals(content) && zip.read('a').equals(content)).toBe(true)
    folder.remove()
  })

  test('of more than 2 GB is refused before anything is unpacked, with its size and what to do', async () => {
    const folder = temporaryFolder()
    const path = join(folder.path, 'a.zip')
    // Stored files of zeros, with holes where their bytes would be.
    const zip = makeZip(Array.from({ length: 40 }, (_, i) => ({ name: `p/${i}.png`, content: text('') })))
    const size = 60_000_000
    const directory = zip.indexOf('PK\u0001\u0002', 'latin1')
    writeFileSync(path, '')
    const file = openSync(path, 'r+')
    for (let at = directory, i = 0; zip.readUInt32LE(at) === 0x02014b50; i++) {
      zip.writeUInt16LE(0, at + 10)
      zip.writeUInt32LE(size, at + 20)
      zip.writeUInt32LE(size, at + 24)
      zip.writeUInt32LE(i * (size + 100), at + 42)
      at += 46 + zip.readUInt16LE(at + 28)
    }
    const end = 40 * (size + 100)
    zip.writeUInt32LE(end, zip.length - 6)
    writeSync(file, zip, directory, zip.length - directory, end)
    // It begins as zip archives do.
    writeSync(file, zip, 0, 4, 0)
    closeSync(file)
    await expect(openArchiveFile(path)).rejects.toThrow(
      'The archive unpacks to 2.4 GB or more, and at most 2.0 GB are read. Divide it into several archives, and import each.',
    )
    folder.remove()
  })

  test('is refused when its content is not what it says', () => {
    const bytes = makeZip([{ name: 'a', content: text('hello hello hello') }])
    bytes[36] = (bytes[36] ?? 0) ^ 0xff
    expect(() => readAll(bytes)).toThrow(ArchiveError)
    expect(() => readAll(bytes.subarray(0, 20))).toThrow('the file is not a zip archive')
  })

  test
    .skipIf(!existsSync(shared))
    .each([
      'absolute.zip',
      'bad-crc.zip',
      'bomb-20MB.zip',
      'case-collision.zip',
      'dup-names.zip',
      'encrypted-flag.zip',
      'lying-size.zip',
      'nfc-nfd.zip',
      'not-a-zip.zip',
      'nul-name.zip',
      'zip-slip.zip',
      'symlink.zip',
      'truncated.zip',
      'windows-drive.zip',
    ])('%s is refused (skipped where ../shared is absent)', name => {
    expect(() => readAll(readFileSync(new URL(name, shared)))).toThrow(ArchiveError)
  })
})
