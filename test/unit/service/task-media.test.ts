import { expect, test } from 'vitest'
import type { MediaFile } from '../../../src/contract/media/media.schemas.ts'
import { shapeOf } from '../../../src/engine/tasks/task-shape.ts'
import type { Task } from '../../../src/engine/tasks/task.ts'
import { countFiles } from '../../../src/service/quotes/count-files.ts'
import { taskMedia } from '../../../src/service/quotes/task-media.ts'

test('a file counts in the prompt of its own turn and of each later one', async () => {
  const show = (digest: string) => [{ type: 'image' as const, media: `sha256:${digest.repeat(64)}` }]
  const task = { conversations: { chat: [{ role: 'user', content: show('a') }] }, turns: ['And now?', show('b')] } as unknown as Task // nothing else of it is read
  const shape = shapeOf(task)
  const found = await taskMedia({ tasks: [{ no: 1 }] as never }, shape ? [shape] : [], { tasks: () => [task] as never }, digests => {
    const file = { media_type: 'image/png', bytes: 1, width: 512, height: 512, duration_ms: null, pages: null } as unknown as MediaFile
    return new Map(digests.map(digest => [digest, file]))
  })
  expect(found).toMatchObject([[{ calls: 3 }, { calls: 1 }]])
  const gpt = { protocol: 'openai_chat' as const, snapshot: { model: 'gpt-4o' } as never }
  // One tile each.
  expect(countFiles(gpt, found)).toMatchObject({ of: { image: 4 * 255 }, most: 2 * 255 })
})
