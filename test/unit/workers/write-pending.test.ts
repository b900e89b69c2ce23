import { expect, test } from 'vitest'
import { MediaIntake } from '../../../src/engine/importing/media/media-intake.ts'
import type { MediaBytes } from '../../../src/storage/media-files.ts'
import { createMediaFiles } from '../../../src/storage/media-files.ts'
import { writePending } from '../../../src/workers/write-pending.ts'
import { makePng } from '../../support/media.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const megabytes = 1024 * 1024

test('files of a log are decoded again when they are written, so many bytes at once', async () => {
  const intake = new MediaIntake({ keepsReferences: true })
  intake.keep({ files: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY })
  const pictures = Array.from({ length: 9 }, (_, i) => makePng([i, 0, 0]))
  for (const bytes of pictures) intake.reference({ kind: 'image', reference: `data:image/png;base64,${bytes.toString('base64')}` }, 'input')
  const pending = intake.takePending().map(({ file, bytes }) => ({ file: { ...file, bytes: 20 * megabytes }, bytes }))
  expect(pending[0]?.bytes?.()).not.toBe(pending[0]?.bytes?.())
  const folder = temporaryFolder()
  const written: MediaBytes[][] = []
  const files = { ...createMediaFiles(folder.path), write: async (batch: readonly MediaBytes[]) => void written.push([...batch]) }
  expect(await writePending(pending, files)).toEqual(pending.map(({ file }) => file))
  expect(written.map(batch => batch.length)).toEqual([4, 4, 1])
  expect(written.flat().map(({ bytes }) => Buffer.from(bytes))).toEqual(pictures)
  folder.remove()
})
