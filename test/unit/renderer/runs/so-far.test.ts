import { expect, test } from 'vitest'
import { soFar } from '../../../../src/renderer/runs/so-far.ts'
import { formatEstimate } from '../../../../src/lib/format/percent.ts'
import { runFixture } from './fixtures.ts'

const run = runFixture({ status: 'running', result_version: null })
const coverage = { ...run.coverage, epochs: 1 }
const [profile] = run.profiles
if (profile === undefined) throw new Error('The fixture has no profile.')
const words = (changed: typeof run, mean: number) => formatEstimate(soFar(changed, profile.profile_id, { mean, n: 12 }), true)
const withMetric = (binary: boolean) => ({
  ...run,
  coverage,
  profiles: [{ ...profile, metrics: profile.metrics.map(metric => ({ ...metric, binary })) }],
})

test('a score so far has its Wilson interval where samples are independent and right or wrong', () => {
  const binary = withMetric(true)
  expect(words(binary, 0.75)).toBe('75.0 % [46.8, 91.1] (n = 12)')
  expect(words(withMetric(false), 0.75)).toBe('75.0 % (n = 12)')
  expect(words({ ...binary, coverage: { ...coverage, epochs: 2 } }, 0.75)).toBe('75.0 % (n = 12)')
  expect(soFar(binary, profile.profile_id, undefined)).toEqual({ mean: null, n: 0, interval: null })
})
