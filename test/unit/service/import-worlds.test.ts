import { expect, test } from 'vitest'
import { NewWorld, type WorldTask } from '../../../src/contract/worlds/worlds.schemas.ts'
import { worldsExamples } from '../../../src/contract/worlds/worlds.examples.ts'
import { importWorlds } from '../../../src/service/worlds/import-worlds.ts'
import { WorkLimitError } from '../../../src/workers/bounded-pool.ts'
import { createWorldPool } from '../../../src/workers/world-pool.ts'
import { workerFile } from '../../../src/workers/worker-file.ts'

test('files that are too much to be read are wrong, and Assay is not', async () => {
  const worlds = createWorldPool(workerFile('worlds.worker'), () => Promise.reject(new Error('no function was expected')))
  const tools = {
    workers: { worlds: { ...worlds, importFiles: () => Promise.reject(new WorkLimitError('time', '60 s')) } },
    check: () => Promise.resolve([]),
    progress: () => undefined,
  }
  const files = [{ name: 'promptfooconfig.yaml', content: 'AAAA' }]
  await expect(importWorlds({ files }, tools, new AbortController().signal)).rejects.toMatchObject({
    code: 'validation_error',
    message: expect.stringContaining('longer than 60 s'),
  })
  await worlds.close()
})

test('a world that grows beyond what can be created is left out, and the progress still ends with all', async () => {
  const worlds = createWorldPool(workerFile('worlds.worker'), () => Promise.reject(new Error('no function was expected')))
  const { slug, ...example } = NewWorld.parse(worldsExamples.createEnvironment)
  const tasks = example.tasks.flatMap(task => ['a', 'b', 'c'].map(id => ({ ...task, id })))
  const imported = {
    worlds: ['Large', 'Small'].map(title => ({
      slug,
      definition: { ...example, title, tasks },
      references: title === 'Large' ? new Map([['a', []]]) : new Map(),
    })),
    left: [],
  }
  // Few characters, and many bytes.
  const large = (task: WorldTask) => ({ ...task, initial_state: { text: '\u8a9e'.repeat(3 * 1024 * 1024) } })
  const shown: (readonly [number, number])[] = []
  const made = await importWorlds(
    { files: [{ name: 'a.yaml', content: 'AAAA' }] },
    {
      workers: {
        worlds: { ...worlds, importFiles: () => Promise.resolve(imported), expect: ({ task }) => Promise.resolve(large(task)) },
      },
      check: (definition, replayed) => {
        replayed(definition.tasks.length)
        return Promise.resolve(definition.tasks.map(({ id }) => ({ task_id: id, status: 'passed' as const, explanation: '' })))
      },
      progress: (done, total) => shown.push([done, total]),
    },
    new AbortController().signal,
  )
  await worlds.close()
  expect(made.map(({ definition }) => definition.title)).toEqual(['Small'])
  expect(made[0]?.left_out).toMatchObject([{ name: 'Large', reason: expect.stringMatching(/^would have more than the 8 MB/) }])
  expect(shown.map(([done]) => done)).toEqual([0, 6, 7, 8, 12, 12])
  expect(shown.every(([, total]) => total === 12)).toBe(true)
})
