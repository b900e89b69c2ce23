import { expect, test } from 'vitest'
import { importsOfNothing } from './parse-module.ts'
import { sources } from './sources.ts'

// The build leaves out a module none of whose exports is used (electron.vite.config.ts): a thread reads and makes only what it needs.
test('no module of the service is imported for what it does when it is read', () => {
  const service = sources.filter(({ file }) => !file.startsWith('renderer/'))
  expect(service.length).toBeGreaterThan(1000)
  const suspects = service.filter(({ text }) => /import\s*['"]/.test(text))
  expect(suspects.flatMap(({ file, text }) => importsOfNothing(file, text).map(target => `${file} imports ${target}`))).toEqual([])
})

test('such an import is found', () => {
  expect(importsOfNothing('lib/x.ts', "import './y.ts'\nimport type { A } from './z.ts'\nimport { b } from './b.ts'")).toEqual(['./y.ts'])
})
