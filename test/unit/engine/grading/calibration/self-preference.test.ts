import { describe, expect, test } from 'vitest'
import { type AuthoredVerdict, selfPreference } from '../../../../../src/engine/grading/calibration/self-preference.ts'

const outputs = (family: string | null, n: number, verdictOf: (labelPasses: boolean, i: number) => boolean): AuthoredVerdict[] =>
  Array.from({ length: n }, (_, i) => ({ family, labelPasses: i % 2 === 0, verdictPasses: verdictOf(i % 2 === 0, i) }))
const fair = (labelPasses: boolean) => labelPasses

describe('self-preference', () => {
  test('is none where no output is of the judge’s family', () => {
    expect(selfPreference(['OpenAI'], outputs('Meta', 50, fair), 0.95)).toBeNull()
    expect(selfPreference([], outputs('Meta', 50, fair), 0.95)).toBeNull()
    expect(selfPreference(['OpenAI'], outputs(null, 50, fair), 0.95)).toBeNull()
  })

  test('compares with people’s labels, so that better outputs are not taken for a preference', () => {
    const better = Array.from({ length: 40 }, (): AuthoredVerdict => ({ family: 'OpenAI', labelPasses: true, verdictPasses: true }))
    const others = outputs('Meta', 40, (labelPasses, i) => (i < 4 ? !labelPasses : labelPasses))
    expect(selfPreference(['OpenAI'], [...better, ...others], 0.95)?.difference).toMatchObject({ n: 80, mean: 0, reason: null })
  })

  test('has the interval of Welch’s test', () => {
    const own = outputs('OpenAI', 40, (labelPasses, i) => labelPasses || i % 4 === 1)
    const found = selfPreference(['OpenAI'], [...own, ...outputs('Meta', 40, (_, i) => i % 2 === 0 && i !== 0)], 0.95)
    expect(found).toMatchObject({ families: ['OpenAI'], own: 40, others: 40, difference: { mean: 0.275, interval: { method: 'welch_t' } } })
    expect(found?.difference.interval?.low).toBeGreaterThan(0)
  })

  test('says nothing of a few outputs', () => {
    const found = selfPreference(['OpenAI'], [...outputs('OpenAI', 9, fair), ...outputs('Meta', 50, fair)], 0.95)
    expect(found).toMatchObject({ own: 9, others: 50, difference: { mean: null, interval: null } })
    expect(found?.difference.reason).toContain('there are 9 and 50')
  })
})
