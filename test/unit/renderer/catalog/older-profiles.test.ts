import { expect, test } from 'vitest'
import type { BenchmarkDetail } from '../../../../src/contract/catalog/benchmarks.schemas.ts'
import { olderProfiles } from '../../../../src/renderer/catalog/older-profiles.tsx'

type Profile = BenchmarkDetail['profiles'][number]

const profile = (version: string | null) =>
  ({ id: `words@${version}:zero-shot`, source_ref: version === null ? null : `eval://me/words/${version}` }) as Profile // the parts that are read

test('names the versions of profiles that are not of the latest one', () => {
  const latest_version = { source_ref: 'eval://me/words/3' } as BenchmarkDetail['latest_version'] // likewise
  const profiles = [profile('3'), profile('2'), profile('1'), profile(null)]
  expect([...olderProfiles([{ latest_version, profiles }])]).toEqual([
    ['words@2:zero-shot', '2'],
    ['words@1:zero-shot', '1'],
  ])
  expect(olderProfiles([{ latest_version: null, profiles }]).size).toBe(0)
})
