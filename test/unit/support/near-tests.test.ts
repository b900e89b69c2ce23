import { expect, test } from 'vitest'
import { testsNear } from '../../support/near-tests.ts'

const tests = [
  { file: 'test/api/jobs.test.ts', text: "import { startTestService } from '../support/service.ts'" },
  { file: 'test/api/jobs-watch.test.ts', text: '' },
  { file: 'test/api/runs.test.ts', text: '' },
  { file: 'test/architecture/layers.test.ts', text: '' },
  { file: 'test/unit/lib/csv.test.ts', text: "import { parse } from 'csv-parse/sync'\nimport { csvLine } from '../../../src/lib/csv.ts'" },
]

test.each([
  [['src/lib/csv.ts'], ['test/architecture/layers.test.ts', 'test/unit/lib/csv.test.ts']],
  [['src/storage/jobs/lanes.ts'], ['test/api/jobs.test.ts', 'test/api/jobs-watch.test.ts', 'test/architecture/layers.test.ts']],
  [['test/support/service.ts'], ['test/api/jobs.test.ts']],
  [['test/api/runs.test.ts', 'README.md'], ['test/api/runs.test.ts']],
  [['resources/CHANGELOG.md'], []],
])('beside %j are %j', (changed, near) => {
  expect(testsNear(changed, tests)).toEqual(near)
})
