import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ifbench } from '../../../../../src/engine/importing/recipes/readable/ifbench.ts'
import { prepareScorer } from '../../../../../src/engine/grading/scorers/registry.ts'

const folder = new URL('../../../../../../shared/data/ifbench/', import.meta.url)

const Published = z.object({ prompt: z.string(), response: z.string(), follow_all_instructions: z.boolean() })

describe.skipIf(!existsSync(folder))('IFBench’s sample output (skipped where ../shared/data/ifbench is absent)', () => {
  test.each(['strict', 'loose'])('%s gives every published verdict', name => {
    const [file] = ifbench.files
    const tasks = new Map(
      rowsOf('tasks.jsonl.gz').map((value, i) => {
        const task = file?.content.read({ line: i + 1, position: i + 1, value })
        return [task && 'fields' in task ? String(task.fields['prompt']).trim() : '', task]
      }),
    )
    const score = prepareScorer({ scorer: `ifbench/${name}` })
    const graded = z
      .array(Published)
      .parse(rowsOf(`eval_${name}.jsonl.gz`))
      .flatMap(row => {
        const task = tasks.get(row.prompt.trim())
        return task && 'metadata' in task
          ? [{ row, value: score({ output: row.response, targets: [], metadata: task.metadata }).value === 1 }]
          : []
      })
    // One row's prompt is not in the file of tasks.
    expect(graded).toHaveLength(293)
    expect(graded.filter(({ row, value }) => value !== row.follow_all_instructions).map(({ row }) => row.prompt)).toEqual([])
  })
})

function rowsOf(name: string): Record<string, unknown>[] {
  const text = gunzipSync(readFileSync(new URL(name, folder))).toString()
  return z.array(z.record(z.string(), z.unknown())).parse(
    text
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line)),
  )
}
