import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ArchiveError } from '../../../../../src/engine/archives/archive.ts'
import { openZip } from '../../../../../src/engine/archives/read-zip.ts'
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
  ])('is refused with %s', (_, files, message) => expect(() => readAll(makeZip(files))).toThrow(message))

  test('is refused when its content is not what it says', () => {
    const bytes = makeZip([{ name: 'a', content: text('hello hello hello') }])
    bytes[36] = (bytes[36] ?? 0) ^ 0xff
    expect(() => readAll(bytes)).toThrow(ArchiveError)
    expect(() => readAll(bytes.subarray(0, 20))).toThrow('The file is not a zip archive.')
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
