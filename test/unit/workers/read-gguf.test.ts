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
