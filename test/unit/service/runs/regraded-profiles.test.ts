import { expect, test } from 'vitest'
import type { Metric } from '../../../../src/contract/catalog/benchmarks.schemas.ts'
import { requirePrepared } from '../../../../src/service/runs/regraded-profiles.ts'
import { metric, profile } from '../../engine/reporting/comparisons/frames.ts'

const pattern = (source: string, scorer_version: number, id = 'pattern') =>
  metric({ id, scorer: 'inspect_ai/pattern', scorer_version, options: { pattern: source } })
const profiles = (metrics: Metric[]) => Array.from({ length: 60 }, (_, i) => profile({ profile_id: `p${i}`, metrics }))
/** Options that are tried, each time, while `late` passes the deadline. */
const tried = async (last: Parameters<typeof requirePrepared>[0], wish: Parameters<typeof requirePrepared>[1], late?: string) => {
  const patterns: unknown[] = []
  await requirePrepared(last, wish, ({ options }) => {
    patterns.push(options['pattern'])
    return Promise.resolve(options['pattern'] === late ? { message: 'It took longer than 5 s.', isLate: true } : null)
  })
  return patterns
}
const changed = (source: string) => ({
  metrics: ['p1', 'p2'].map(profile_id => ({ profile_id, metric: 'pattern', options: { pattern: source } })),
})

test('a regrade tries equal options once, and none that graded the last result under the same version', async () => {
  const current = profiles([pattern('a', 1)])
  expect(await tried(current, {})).toEqual([])
  expect(await tried(current, changed('b'))).toEqual(['b'])
  expect(await tried(profiles([pattern('a', 0), pattern('c', 0, 'other')]), changed('b'))).toEqual(['a', 'c', 'b'])
})

test('options that graded the last result may pass the deadline, and others may not', async () => {
  const older = profiles([pattern('a', 0)])
  expect(await tried(older, {}, 'a')).toContain('a')
  await expect(tried(older, changed('b'), 'b')).rejects.toMatchObject({
    code: 'validation_error',
    detail: [{ loc: ['body', 'metrics', 0] }],
  })
})

test('options that graded the last result under another version are refused where they are wrong', async () => {
  const wrong = () => Promise.resolve({ message: 'Unknown option "greedy".', isLate: false })
  await expect(requirePrepared(profiles([pattern('a', 0)]), {}, wrong)).rejects.toThrow('pattern of p0: Unknown option "greedy".')
})
