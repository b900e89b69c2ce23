import { expect, test } from 'vitest'
import { describeSlowest, PlaywrightTimes, playwrightTimes, VitestTimes, vitestTimes } from '../../support/slowest-files.ts'

test('the slowest files of both kinds come first, with groups of tests counted to their file', () => {
  const vitest = VitestTimes.parse({
    testResults: [
      { name: '/repo/test/unit/a.test.ts', startTime: 1_000, endTime: 1_500 },
      { name: '/repo/test/api/b.test.ts', startTime: 1_000, endTime: 13_000 },
    ],
  })
  const spec = (duration: number) => ({ tests: [{ results: [{ duration }] }] })
  const playwright = PlaywrightTimes.parse({
    suites: [{ file: 'c.spec.ts', specs: [spec(1_000)], suites: [{ file: 'c.spec.ts', specs: [spec(2_000), spec(500)] }] }],
  })
  expect(describeSlowest([...vitestTimes(vitest, '/repo'), ...playwrightTimes(playwright)], 2)).toEqual([
    '   12.0 s  test/api/b.test.ts',
    '    3.5 s  test/e2e/c.spec.ts',
  ])
})
