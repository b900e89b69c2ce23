import { describe, expect, test } from 'vitest'
import type { TaskMetadata } from '../../../../src/contract/catalog/tasks.schemas.ts'
import { NewSuite } from '../../../../src/contract/suites/suites.schemas.ts'
import {
  capabilitiesOf,
  selectionsOf,
  sourcesOf,
  withoutSource,
  withoutTask,
  withTasks,
} from '../../../../src/renderer/suites/selection.ts'

const none = new Map<string, TaskMetadata>()

function task(id: string, more: Partial<TaskMetadata> = {}): TaskMetadata {
  return {
    task_id: id,
    source_ref: 'eval://assay/a/1',
    split: 'test',
    position: 0,
    preview: '',
    input_characters: 1,
    choices: null,
    capabilities: [],
    depends_on: [],
    ...more,
  }
}

const ids = (selection: ReadonlyMap<string, TaskMetadata>) => [...selection.values()].map(one => one.task_id)

describe('a selection of tasks', () => {
  const first = task('1')
  const second = task('2', { depends_on: ['1'] })
  const third = task('3', { depends_on: ['2'] })
  const known = [first, second, third]

  test('takes in what a task depends on, and what that depends on', () => {
    expect(ids(withTasks(none, [third], known))).toEqual(['3', '2', '1'])
  })

  test('leaves out what depends on a task that is left out', () => {
    const all = withTasks(none, known, known)
    expect(ids(withoutTask(all, first))).toEqual([])
    expect(ids(withoutTask(all, third))).toEqual(['1', '2'])
  })

  test('ends where tasks depend on each other', () => {
    const circle = [task('x', { depends_on: ['y'] }), task('y', { depends_on: ['x'] })]
    expect(ids(withTasks(none, circle, circle))).toEqual(['x', 'y'])
    expect(ids(withoutTask(withTasks(none, circle, circle), task('x')))).toEqual([])
  })

  test('holds a task once, and tells tasks of one id in two sources apart', () => {
    const twin = task('1', { source_ref: 'eval://assay/b/1' })
    const both = withTasks(withTasks(none, [first, first], known), [twin], [])
    expect(sourcesOf(both)).toEqual([
      { sourceRef: 'eval://assay/a/1', tasks: 1 },
      { sourceRef: 'eval://assay/b/1', tasks: 1 },
    ])
    expect(sourcesOf(withoutSource(both, 'eval://assay/a/1'))).toEqual([{ sourceRef: 'eval://assay/b/1', tasks: 1 }])
  })

  test('counts capabilities, most frequent first', () => {
    const some = [
      task('1', { capabilities: ['logic', 'arithmetic'] }),
      task('2', { capabilities: ['arithmetic'] }),
      task('3', { capabilities: ['code'] }),
    ]
    expect(capabilitiesOf(withTasks(none, some, some))).toEqual([
      { capability: 'arithmetic', tasks: 2 },
      { capability: 'code', tasks: 1 },
      { capability: 'logic', tasks: 1 },
    ])
  })

  test('is sent by source and split, as the contract wants it', () => {
    const mixed = [first, task('4', { split: 'canonical' }), task('5')]
    const selections = selectionsOf(withTasks(none, mixed, mixed))
    expect(selections).toEqual([
      { source_ref: 'eval://assay/a/1', split: 'test', task_ids: ['1', '5'] },
      { source_ref: 'eval://assay/a/1', split: 'canonical', task_ids: ['4'] },
    ])
    expect(NewSuite.safeParse({ name: 'x', task_selections: selections }).success).toBe(true)
  })
})
