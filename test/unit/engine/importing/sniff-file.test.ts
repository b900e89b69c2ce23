import { readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { sniffFile } from '../../../../src/engine/importing/answers/sniff-file.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const text = '{"doc_id":0}\n'.repeat(100_000)
const sniffed = (name: string, content: Uint8Array | string) => {
  const path = join(folder.path, name)
  writeFileSync(path, content)
  return sniffFile({ name, path })
}
const openFiles = () =>
  readdirSync('/proc/self/fd').map(fd => {
    try {
      return readlinkSync(join('/proc/self/fd', fd))
    } catch {
      // That of the listing itself.
      return ''
    }
  })

test.each([
  ['x.jsonl', text],
  ['x.jsonl.gz', gzipSync(text)],
  ['x.jsonl.zst', zstdCompressSync(text)],
])('%s has the first bytes of its text, and is closed', async (name, content) => {
  const { head } = await sniffed(name, content)
  expect(head).toBe(text.slice(0, 65_536))
  if (process.platform !== 'linux') return
  if (process.platform === 'linux') await expect.poll(openFiles).not.toContain(join(folder.path, name))
})

test('a file that the service’s thread would unpack is told by its name', async () => {
  for (const begin of [Buffer.from('BZh91AY&SY'), Buffer.from('\xfd7zXZ\0', 'latin1')])
    expect(await sniffed('samples_x.jsonl.bz2', Buffer.concat([begin, Buffer.from('rest')]))).toMatchObject({
      name: 'samples_x.jsonl.bz2',
      head: '',
    })
})

test('a file that unpacks to nothing is read as far as a bound', async () => {
  const nothing = gzipSync('')
  const parts = Math.ceil((1 << 20) / nothing.length)
  expect((await sniffed('x.gz', Buffer.concat([...Array.from({ length: parts }, () => nothing), gzipSync('text')]))).head).toBe('')
  expect((await sniffed('y.gz', Buffer.concat([nothing, nothing, gzipSync('text')]))).head).toBe('text')
})
