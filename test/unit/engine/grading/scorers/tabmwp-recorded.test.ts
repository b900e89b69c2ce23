import { expect, test } from 'vitest'
import { prepareScorer } from '../../../../../src/engine/grading/scorers/registry.ts'
import { hasSharedData, sharedLines } from '../../../../support/shared-data.ts'

const file = 'pot/tabmwp.jsonl.gz'

test.skipIf(!hasSharedData)(
  'TabMWP answers of Program of Thoughts come to the published .732 (skipped where ../shared/data/pot is absent)',
  () => {
    const score = prepareScorer({ scorer: 'assay/number_or_text', options: { relative: 0.001 } })
    const rows = sharedLines(file)
    const right = rows.filter(({ executed, answer }) => {
      const output = executed === null ? '' : typeof executed === 'string' ? executed : JSON.stringify(executed)
      return score({ output, targets: [String(answer)] }).value === 1
    })
    expect([right.length, rows.length]).toEqual([5622, 7685])
  },
)
