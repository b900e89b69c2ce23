import { expect, test } from 'vitest'
import { sources } from './sources.ts'

/** What runs schemas, patterns, scorers or paths that somebody else wrote: it belongs in a thread that can be ended (decisions 0186, 0187). */
const foreignWork =
  /\b(?:gradeOne|prepareScorer|compileSchema|argumentCheck|userPattern|playMoves|worldOfTraces|selectValue|callMatcher|quotedCase)\b/

test('runs nothing that others wrote on the service’s thread', () => {
  const inThread = sources.filter(({ file }) => /^(?:service|storage)\//.test(file))
  expect(inThread.length).toBeGreaterThan(300)
  expect(inThread.filter(({ text }) => foreignWork.test(text)).map(({ file }) => file)).toEqual([])
  const workers = sources.filter(({ file }) => file.startsWith('workers/'))
  expect(workers.filter(({ text }) => foreignWork.test(text)).length).toBeGreaterThan(1)
})
