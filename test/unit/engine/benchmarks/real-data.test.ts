import { createReadStream, existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findRecipe } from '../../../../src/engine/benchmarks/recipes/recipes.ts'
import { checkImport } from '../../../../src/engine/importers/check-import.ts'
import type { ImportSource } from '../../../../src/engine/importers/import-source.ts'

const data = new URL('../../../../../shared/data/', import.meta.url)

describe.skipIf(!existsSync(data))('published files (skipped where ../shared/data is absent)', () => {
  it.each([
    ['gsm8k', { test: 'gsm8k/test.jsonl', train: 'gsm8k/train.jsonl.gz' }, 1319, null],
    ['ifeval', { test: 'ifeval/input_data.jsonl' }, 541, null],
    ['bbh', { boolean_expressions: 'bbh/boolean_expressions.json', date_understanding: 'bbh/date_understanding.json' }, 500, null],
    ['agieval', { 'aqua-rat': 'agieval/aqua-rat.jsonl', 'sat-math': 'agieval/sat-math.jsonl' }, 474, 254 / 5 / 474 + 220 / 4 / 474],
    ['truthfulqa-mc1', { test: 'truthfulqa/mc_task.json' }, 790, 0.2228],
  ])('%s is read without a fault', async (slug, files, tasks, chance) => {
    const sources = Object.entries(files).map(([role, path]) => sourceOf(slug, role, path))
    const check = await checkImport(
      sources.map(({ source }) => source),
      { count: 5, by: null },
    )
    expect(check.problems).toEqual([])
    expect(check.taskCounts).toEqual({ test: tasks, canonical: 0 })
    if (chance === null) expect(check.chanceLevel).toBeNull()
    else expect(check.chanceLevel).toBeCloseTo(chance, 3)
    for (const [i, { upstream }] of sources.entries()) if (upstream !== null) expect(check.contentSha256[i]).toBe(upstream)
  })
})

function sourceOf(slug: string, role: string, path: string): { source: ImportSource; upstream: string | null } {
  const file = findRecipe(slug)?.files.find(candidate => candidate.role === role)
  if (!file?.content) throw new Error(`${slug} has no readable file ${role}`)
  return { source: { name: path, content: file.content, open: () => createReadStream(new URL(path, data)) }, upstream: file.sha256 }
}
