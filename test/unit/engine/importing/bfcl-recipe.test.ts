import { describe, expect, test } from 'vitest'
import type { Archive } from '../../../../src/engine/archives/archive.ts'
import { bfcl } from '../../../../src/engine/importing/recipes/readable/bfcl.ts'
import type { RowOrProblem } from '../../../../src/engine/importing/files/row.ts'
import type { Task } from '../../../../src/engine/tasks/task.ts'
import { gradeOne } from '../../../../src/engine/grading/scorers/registry.ts'

const area = { name: 'geometry.area', parameters: { type: 'dict', properties: { base: { type: 'integer' } }, required: ['base'] } }
const asked = (id: string, content: string) => ({ id, question: [[{ role: 'user', content }]], function: [area] })
const lines = (...values: object[]) => values.map(value => JSON.stringify(value)).join('\n')

const folder: Readonly<Record<string, string>> = {
  'data/BFCL_v4_parallel.json': lines(asked('parallel_0', 'Areas of 2 and 3?'), asked('parallel_1', 'Area of 4?')),
  'data/possible_answer/BFCL_v4_parallel.json': lines(
    { id: 'parallel_1', ground_truth: [{ 'geometry.area': { base: [4] } }] },
    { id: 'parallel_0', ground_truth: [{ 'geometry.area': { base: [2] } }, { 'geometry.area': { base: [3], unit: ['', 'm'] } }] },
  ),
  'data/BFCL_v4_live_irrelevance.json': lines({
    ...asked('live_irrelevance_0', 'What time is it?'),
    question: [
      [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'What time is it?' },
      ],
    ],
  }),
  'data/BFCL_v4_multi_turn_base.json': lines({ id: 'multi_turn_0' }),
  'data/BFCL_v4_simple_java.json': lines({ id: 'java_0' }),
}

async function tasksOf(files: Readonly<Record<string, string>>): Promise<(Task | string)[]> {
  const archive: Archive = {
    names: Object.keys(files),
    sizeOf: name => files[name]?.length ?? 0,
    read: name => Buffer.from(files[name] ?? ''),
  }
  const content = bfcl.files[0]?.content
  if (content?.holds !== 'tasks' || content.format.kind !== 'any' || content.format.upstream.kind !== 'archive')
    throw new Error('An archive of tasks.')
  const rows: RowOrProblem[] = []
  for await (const row of content.format.upstream.rows(archive)) rows.push(row)
  return rows.map((row, i) => (row.kind === 'row' ? content.read({ ...row, position: i + 1 }) : row.message))
}

describe('the data folder of BFCL', () => {
  test('gives a task for each question of one turn for Python, with the answer of its id', async () => {
    const tasks = await tasksOf(folder)
    expect(tasks).toMatchObject([
      {
        id: 'parallel_0',
        fields: { question: 'Areas of 2 and 3?', functions: JSON.stringify([area]) },
        metadata: { category: 'parallel' },
      },
      { id: 'parallel_1' },
      { id: 'live_irrelevance_0', fields: { question: 'Be brief.\n\nWhat time is it?' }, metadata: { category: 'live_irrelevance' } },
    ])
    const value = (task: Task | string | undefined, output: string) =>
      typeof task === 'object' ? gradeOne({ scorer: 'bfcl/ast' }, { output, targets: [...task.targets], metadata: {} }).value : null
    expect(value(tasks[0], '[geometry.area(base=3), geometry.area(base=2)]')).toBe(1)
    expect(value(tasks[0], '[geometry.area(base=3)]')).toBe(0)
    expect(value(tasks[2], 'None of the functions tells the time.')).toBe(1)
    expect(value(tasks[2], '[]')).toBe(1)
    expect(value(tasks[2], '[geometry.area(base=1)]')).toBe(0)
    for (const task of tasks) if (typeof task === 'object') expect(value(task, String(task.metadata['reference_output']))).toBe(1)
  })

  test('without its answers, or without any category, is refused by name', async () => {
    const { 'data/possible_answer/BFCL_v4_parallel.json': _, ...without } = folder
    expect(await tasksOf(without)).toContainEqual(expect.stringContaining('possible_answer/BFCL_v4_parallel.json'))
    expect(await tasksOf({ 'README.md': 'x' })).toEqual([expect.stringContaining('no BFCL_v')])
  })
})
