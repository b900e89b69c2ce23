import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ApiError } from '../../contract/errors.ts'
import { Name, Timestamp, Uuid } from '../../contract/primitives.ts'
import { TaskSelection } from '../../contract/suites/suites.schemas.ts'
import { shippedPath } from '../../engine/content/shipped-path.ts'
import type { Kernel } from '../kernel.ts'
import { describeTasks } from './describe-suite.ts'
import { resolveSelections, type SelectedTasks } from './resolve-selections.ts'
import { findSuiteRow, insertSuite } from './suites.store.ts'

/** A suite version as it ships: its id never changes, and a change of its tasks is a new file with a new id. */
const ShippedSuite = z.strictObject({
  id: Uuid,
  suite_id: Uuid,
  version: z.int().min(1),
  previous_version_id: Uuid.nullable(),
  name: Name,
  description: z.string(),
  created_at: Timestamp,
  task_selections: z.array(TaskSelection).min(1),
})

/** Of no workspace: only what ships with the product is visible to it. */
const nobody = ''

/** A step for each suite that ships with the product and is not in the database yet. One whose tasks are not there is left out and logged. */
export function missingSuites({ db, log }: Pick<Kernel, 'db' | 'log'>): (() => void)[] {
  const tasksOf = ({ name, task_selections }: z.infer<typeof ShippedSuite>): SelectedTasks[] | null => {
    try {
      return resolveSelections(db, nobody, task_selections)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      log.error({ err: error, suite: name }, 'a shipped suite does not fit the bundled benchmarks')
      return null
    }
  }
  return shippedSuites()
    .filter(suite => !findSuiteRow(db, suite.id))
    .map(suite => () => {
      const { task_selections: _, ...shipped } = suite
      const tasks = tasksOf(suite)
      if (tasks) insertSuite(db, null, { ...shipped, latest: true, visibility: 'public', origin: 'bundled', ...describeTasks(tasks) })
    })
}

/** In the order of their versions, so that each finds the one before it. */
function shippedSuites(): z.infer<typeof ShippedSuite>[] {
  const folder = shippedPath('suites')
  return readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .sort()
    .map(name => ShippedSuite.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))))
    .sort((a, b) => a.version - b.version)
}
