import { describe, expect, it } from 'vitest'
import { benchmarkName, measuredName, profileName } from '../../../src/lib/format/benchmark-names.ts'

const zeroShot = { slug: 'gsm8k', title: 'Zero-shot' }

describe('names of runs and profiles', () => {
  it('put the benchmark before a profile', () => {
    expect(profileName(zeroShot)).toBe('gsm8k · Zero-shot')
  })

  it('do not repeat a benchmark that the profile names', () => {
    expect(profileName({ slug: 'gsm8k', title: 'GSM8K, 5-shot' })).toBe('GSM8K, 5-shot')
  })

  it('count the profiles after the first', () => {
    expect(benchmarkName([zeroShot, zeroShot, zeroShot])).toBe('gsm8k (Zero-shot) and 2 more')
  })

  it('say the model and what it was measured on', () => {
    expect(measuredName({ model: { title: 'Oracle' }, profiles: [zeroShot] })).toBe('Oracle on gsm8k (Zero-shot)')
  })
})
