import { expect, test } from 'vitest'
import { notFound } from '../../../src/contract/errors.ts'
import { createRunsChange } from '../../../src/service/items/change-runs.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { temporaryFolder } from '../../support/service.ts'

test('a run that is deleted while many are changed is named, and the others are changed', async () => {
  const folder = temporaryFolder()
  const db = openDatabase(`${folder.path}/runs.db`)
  const ids = Array.from({ length: 150 }, (_, i) => `run-${i}`)
  const gone = new Set<string>()
  const archived: string[] = []
  const several = {
    matching: () => ids,
    nameOf: (_: string, id: string) => {
      if (gone.has(id)) throw notFound('run', id)
      return id
    },
    archive: (_: string, some: readonly string[]) => {
      archived.push(...some)
      // Another request, once the first hundred are done.
      gone.add('run-120')
    },
    requireDeletable: () => {},
    delete: () => {},
  }
  const annotations = { requireTaggable: () => {}, change: () => ({ bookmarked: false, tags: [], notes: 0 }) }
  const change = createRunsChange({ db, clock: { now: () => new Date(0) } }, { runs: { several }, annotations } as never) // what it uses of them
  const asker = { workspace: { id: 'w' } } as Parameters<typeof change>[0] // who asks matters to tags and deletions alone
  const answer = await change(asker, { filter: { archived: 'false', q: '' }, expected: 150, archived: true, dry_run: false })
  expect(answer).toMatchObject({
    matched: 150,
    changed: 149,
    refused_count: 1,
    refused: [{ run_id: 'run-120', name: 'run-120', code: 'not_found' }],
  })
  expect(archived).toEqual(ids.filter(id => id !== 'run-120'))
  db.close()
  folder.remove()
})
