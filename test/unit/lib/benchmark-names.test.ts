import { describe, expect, test } from 'vitest'
import { benchmarkName, measuredName, profileName } from '../../../src/lib/format/benchmark-names.ts'

const zeroShot = { slug: 'gsm8k', benchmark_title: 'Grade-school math', title: 'Zero-shot' }

describe('names of runs and profiles', () => {
  test('put the benchmark before a profile', () => {
    expect(profileName(zeroShot)).toBe('Grade-school math · Zero-shot')
  })

  test('do not repeat a benchmark that the profile names', () => {
    expect(profileName({ ...zeroShot, title: 'GSM8K, 5-shot' })).toBe('GSM8K, 5-shot')
    expect(profileName({ ...zeroShot, title: 'Grade-school math, 5-shot' })).toBe('Grade-school math, 5-shot')
  })

  test('fall back to the slug in records without the benchmark’s title', () => {
    expect(profileName({ slug: 'gsm8k', title: 'Zero-shot' })).toBe('gsm8k · Zero-shot')
  })

  test('count the profiles after the first', () => {
    expect(benchmarkName([zeroShot, zeroShot, zeroShot])).toBe('Grade-school math (Zero-shot) and 2 more')
  })

  test('say the model and what it was measured on', () => {
    expect(measuredName({ model: { title: 'Oracle' }, profiles: [zeroShot] })).toBe('Oracle on Grade-school math (Zero-shot)')
  })
})
