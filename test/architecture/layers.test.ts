import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Import, importsIn } from './parse-module.ts'
import { sources } from './sources.ts'

/** The layers of `src/engine`, and which of them each may import. `tasks`, `archives` and `media` are the vocabulary and tools of all others. */
const layers: Readonly<Record<string, readonly string[]>> = {
  tasks: [],
  archives: [],
  media: [],
  statistics: [],
  content: ['tasks'],
  grading: ['statistics', 'archives'],
  importing: ['tasks', 'archives', 'media', 'statistics', 'content', 'grading'],
  clients: [],
  execution: ['tasks', 'grading', 'clients'],
  reporting: ['tasks', 'archives', 'statistics', 'grading'],
}

/** Why an import inside the engine may not be, or null. Types count: a layer that names another's types cannot be understood without it. */
function violation({ file, target }: Import): string | null {
  const [, layer = ''] = file.split('/')
  const allowed = layers[layer]
  if (!allowed) return `${file}: the folder ${layer} is no layer of the engine`
  if (!target.startsWith('.')) return null
  const path = join(file, '..', target)
  const [runtime, other = ''] = path.split('/')
  return runtime !== 'engine' || other === layer || allowed.includes(other) ? null : `${file} imports ${path}, which ${layer} may not`
}

const engine = sources.filter(({ file }) => file.startsWith('engine/'))

test('every layer is there and is read', () => {
  expect(new Set(engine.map(({ file }) => file.split('/')[1]))).toEqual(new Set(Object.keys(layers)))
  expect(engine.flatMap(({ file, text }) => importsIn(file, text)).length).toBeGreaterThan(1000)
})

test('the layers of the engine import only those below them', () => {
  expect(engine.flatMap(({ file, text }) => importsIn(file, text)).flatMap(entry => violation(entry) ?? [])).toEqual([])
})

test('no layer is below itself', () => {
  const below = (layer: string): string[] => (layers[layer] ?? []).flatMap(other => [other, ...below(other)])
  for (const layer of Object.keys(layers)) expect(below(layer)).not.toContain(layer)
})

test.each([
  ['engine/statistics/x.ts', "import { scorers } from '../grading/scorers/registry.ts'"],
  ['engine/content/benchmarks/x.ts', "import type { Recipe } from '../../importing/recipes/recipe.ts'"],
  ['engine/clients/x.ts', "const late = await import('../execution/samples/render-prompt.ts')"],
  ['engine/execution/x.ts', "export { wilson } from '../statistics/wilson.ts'"],
  ['engine/utils/x.ts', "import { z } from 'zod'"],
])('a planted violation in %s is seen', (file, text) => {
  expect(importsIn(file, text).map(violation)).toEqual([expect.any(String)])
})
