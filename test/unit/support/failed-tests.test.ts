import { expect, test } from 'vitest'
import { PlaywrightVerdicts, playwrightFailures, VitestVerdicts, vitestFailures } from '../../support/failed-tests.ts'

test('failed tests are named with their file and the first line of the error, also where a file does not load', () => {
  const report = VitestVerdicts.parse({
    testResults: [
      {
        name: '/repo/test/unit/a.test.ts',
        status: 'failed',
        message: '',
        assertionResults: [
          { status: 'passed', fullName: 'a adds', failureMessages: [] },
          { status: 'failed', fullName: 'a subtracts', failureMessages: ['AssertionError: expected 1 to be 2\n    at a.test.ts:3'] },
        ],
      },
      { name: '/repo/test/unit/b.test.ts', status: 'failed', message: 'SyntaxError: no export c\n    at b', assertionResults: [] },
      { name: '/repo/test/unit/d.test.ts', status: 'passed', message: '', assertionResults: [] },
    ],
  })
  expect(vitestFailures(report, '/repo')).toEqual([
    'test/unit/a.test.ts › a subtracts: AssertionError: expected 1 to be 2',
    'test/unit/b.test.ts › outside its tests: SyntaxError: no export c',
  ])
})

test('failed browser tests are found in groups too', () => {
  const spec = (title: string, ok: boolean) => ({
    title,
    ok,
    tests: [
      { results: [ok ? { status: 'passed' } : { status: 'failed', errors: [{ message: '\u001B[31mError: not visible\u001B[39m\nlog' }] }] },
    ],
  })
  const report = PlaywrightVerdicts.parse({
    suites: [{ file: 'c.spec.ts', specs: [spec('opens', true)], suites: [{ file: 'c.spec.ts', specs: [spec('closes', false)] }] }],
  })
  expect(playwrightFailures(report)).toEqual(['test/e2e/c.spec.ts › closes: Error: not visible'])
})
