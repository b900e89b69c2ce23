import { expect, test } from 'vitest'
import { headerOf } from '../../../../src/service/local-models/model-facts.ts'
import { WorkLimitError } from '../../../../src/workers/bounded-pool.ts'

test('a header that breaks the limits of its thread makes its file unreadable, and any other failure is told', async () => {
  const failing = (error: Error) => headerOf({ readGguf: () => Promise.reject(error) }, '/models/a.gguf')
  expect(await failing(new WorkLimitError('time', '2 min'))).toEqual({
    header: { ok: false, reason: 'Its header is too much to be read: The work took longer than 2 min and was stopped.' },
    // The next look reads it again.
    lasts: false,
  })
  expect(await failing(new WorkLimitError('memory', '64 MB'))).toMatchObject({ lasts: true })
  await expect(failing(new Error('The thread is gone.'))).rejects.toThrow('The thread is gone.')
})
