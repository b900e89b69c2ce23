import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { MediaMissingError } from '../../../src/engine/clients/media-source.ts'
import { createBatchMedia } from '../../../src/headless/worker/batch-media.ts'

const bytes = Buffer.from('a picture')
const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`

test('a file that two batches show is read by the one that is still held', async () => {
  const held = new Set(['first', 'second'])
  const asked: string[] = []
  const media = createBatchMedia(({ batch_id: id }) => {
    asked.push(id)
    return Promise.resolve(held.has(id) ? { bytes, mediaType: 'image/png' } : null)
  })
  media.expect('first', [digest])
  media.expect('second', [digest])
  held.delete('second')
  expect((await media.source.read(digest)).bytes).toEqual(bytes)
  expect(asked).toEqual(['second', 'first'])
  expect((await media.source.read(digest)).bytes).toEqual(bytes)
  expect(asked).toHaveLength(2)
})

test('a file that no held batch shows is missing', async () => {
  const media = createBatchMedia(() => Promise.resolve(null))
  media.expect('first', [digest])
  await expect(media.source.read(digest)).rejects.toThrow(MediaMissingError)
})
