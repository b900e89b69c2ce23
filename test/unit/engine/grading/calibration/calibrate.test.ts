import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { calibrate, type CalibrationItem } from '../../../../../src/engine/grading/calibration/calibrate.ts'
import { chooseThreshold, splitInTwo } from '../../../../../src/engine/grading/calibration/choose-threshold.ts'
import { type LabelMenu, type Prediction, predictLabel } from '../../../../../src/engine/grading/calibration/predict-label.ts'
import { graded, judged, unscored } from '../../../../../src/engine/grading/scorers/verdict.ts'
import { balancedAccuracy } from '../../../../../src/engine/statistics/balanced-accuracy.ts'
import { gwetAc1 } from '../../../../../src/engine/statistics/gwet-ac1.ts'
import { correctJudgeRate } from '../../../../../src/engine/statistics/judge-correction.ts'
import { cohenKappa } from '../../../../../src/engine/statistics/kappa.ts'
import { drawBinomial, mulberry32 } from '../../../../../src/engine/statistics/random.ts'

const folder = new URL('../../../../../../shared/data/judges/pandalm/', import.meta.url)
const settings = { seed: 1, holdout: 0.5, level: 0.95, minimum: { kappa: 0.4, balanced_accuracy: 0.7 } }
const passFail: LabelMenu = { task: 'answer', labels: ['pass', 'fail'], range: null }
const noSwap = { pairs: 0, flips: 0 }
const item = (label: string | null, prediction: Prediction, i = 0): CalibrationItem => ({
  exampleId: `e${i}`,
  label,
  byPeople: true,
  prediction,
  swapped: noSwap,
})
const says = (label: string): Prediction => ({ kind: 'label', label })
const times = (n: number, make: (i: number) => CalibrationItem) => Array.from({ length: n }, (_, i) => make(i))

describe.skipIf(!existsSync(folder))("PandaLM's recorded judges (skipped where ../shared/data/judges is absent)", () => {
  const read = <T>(name: string, schema: z.ZodType<T>): T[] =>
    existsSync(folder) ? z.array(schema).parse(JSON.parse(readFileSync(new URL(name, folder), 'utf8'))) : []
  const annotated = read('testset-v1.json', z.object({ annotator1: z.number(), annotator2: z.number(), annotator3: z.number() }))
  const words = ['tie', 'a', 'b']
  const labels = annotated.map(({ annotator1: a, annotator2: b, annotator3: c }) => words[a === b || a === c ? a : b] ?? '')
  const menu: LabelMenu = { task: 'pairwise', labels: ['a', 'b', 'tie'], range: null }
  const calibrated = (verdicts: readonly (string | null)[]) =>
    calibrate(
      labels.map((label, i) => item(label, verdicts[i] ? says(verdicts[i]) : { kind: 'unscored', reason: 'Off the menu.' }, i)),
      menu,
      settings,
    )

  test('pandalm-7b agrees in 667 of 999, kappa 0.435, which is weak', () => {
    const results = read('pandalm-7b-testset-v1.json', z.object({ pandalm_result: z.number() }))
    const found = calibrated(results.map(({ pandalm_result: result }) => words[result] ?? null))
    expect(found).toMatchObject({ n: 999, unscored: 0, disagreements: 999 - 667, verdict: 'weak' })
    expect(found.agreement.mean).toBe(667 / 999)
    expect(found.kappa.mean).toBeCloseTo(0.4354, 4)
    expect(found.kappa.interval?.low).toBeLessThan(0.4)
    expect(found.sensitivity).toBeNull()
  })

  test('gpt-3.5-turbo agrees in 697 of the 974 it scored, kappa 0.493, 25 unscored', () => {
    const results = read('gpt-3.5-turbo-testset-v1.json', z.object({ gpt_result: z.string() }))
    const found = calibrated(results.map(({ gpt_result: result }) => (result === 'Tie' ? 'tie' : (words[Number(result)] ?? null))))
    expect(found).toMatchObject({
      n: 999,
      unscored: 25,
      disagreements: 974 - 697,
      unscored_reasons: [{ reason: 'Off the menu.', count: 25 }],
    })
    expect(found.agreement).toMatchObject({ n: 974, mean: 697 / 974 })
    expect(found.kappa.mean).toBeCloseTo(0.493, 3)
    expect(found.confusion.unscored.reduce((a, b) => a + b)).toBe(25)
  })
})

describe('calibrate', () => {
  const good = [
    ...times(60, () => item('pass', says('pass'))),
    ...times(40, () => item('fail', says('fail'))),
    ...times(3, () => item('fail', says('pass'))),
  ]

  test('calls an evaluator usable whose lower bounds reach the minimum', () => {
    const found = calibrate(good, passFail, settings)
    expect(found).toMatchObject({ verdict: 'usable', reasons: [], threshold: null })
    expect(found.confusion).toEqual({
      labels: ['pass', 'fail'],
      counts: [
        [60, 0],
        [3, 40],
      ],
      unscored: [0, 0],
    })
    expect(found.sensitivity).toMatchObject({ n: 60, mean: 1 })
    expect(found.specificity).toMatchObject({ n: 43, mean: 40 / 43 })
  })

  test('calls full agreement usable where there is enough of it', () => {
    const full = (n: number) =>
      calibrate([...times(n, () => item('pass', says('pass'))), ...times(n, () => item('fail', says('fail')))], passFail, settings)
    expect(full(50)).toMatchObject({
      verdict: 'usable',
      kappa: { mean: 1, interval: { high: 1, method: 'wilson_of_agreement' } },
      ac1: { mean: 1 },
    })
    // Wilson's lower end of 100 of 100 is 100/(100 + z²) = 0.963; against a chance agreement of one half that is 0.926.
    expect(full(50).kappa.interval?.low).toBeCloseTo(0.926, 3)
    expect(full(16).kappa.interval?.low).toBeLessThan(full(50).kappa.interval?.low ?? 0)
  })

  test('calls chance agreement uninformative', () => {
    const random = mulberry32(7)
    const found = calibrate(
      times(200, i => item(i % 2 ? 'pass' : 'fail', says(random() < 0.5 ? 'pass' : 'fail'), i)),
      passFail,
      settings,
    )
    expect(found.verdict).toBe('uninformative')
    expect(found.reasons[0]).toContain('kappa')
  })

  test('says which labels are too few, and counts only people’s', () => {
    expect(calibrate(good.slice(0, 20), passFail, settings)).toMatchObject({
      verdict: 'uninformative',
      reasons: [expect.stringContaining('Only 20'), expect.stringContaining('labeled fail')],
    })
    const byKey = good.map(entry => ({ ...entry, byPeople: false }))
    expect(calibrate(byKey, passFail, settings).verdict).toBe('uninformative')
  })

  test('never counts what is unscored as wrong', () => {
    const found = calibrate(
      [...good, ...times(50, () => item('pass', { kind: 'unscored', reason: 'Timed out. Try later.' }))],
      passFail,
      settings,
    )
    expect(found).toMatchObject({
      unscored: 50,
      agreement: { n: 103, mean: 100 / 103 },
      unscored_reasons: [{ reason: 'Timed out.', count: 50 }],
    })
  })

  test('chooses a threshold on one part and reports on the other', () => {
    const random = mulberry32(3)
    const items = times(400, i => {
      const label = i % 2 ? 'pass' : 'fail'
      return item(label, { kind: 'value', value: (label === 'pass' ? 0.35 : 0.05) + 0.6 * random() }, i)
    })
    const found = calibrate(items, passFail, settings)
    expect(found.threshold).toMatchObject({ chosen_on: 200, reported_on: 200 })
    expect(found.threshold?.value).toBeGreaterThan(0.3)
    expect(found.threshold?.value).toBeLessThan(0.7)
    expect(found.n).toBe(200)
    expect(calibrate(items, passFail, settings)).toEqual(found)
    expect(calibrate(items, passFail, { ...settings, seed: 2 }).threshold?.value).not.toBe(found.threshold?.value)
  })

  test('corrects the pass rate of examples without labels', () => {
    const open = [...times(70, () => item(null, says('pass'))), ...times(30, () => item(null, says('fail')))]
    const found = calibrate([...good, ...open], passFail, settings)
    expect(found.corrected_pass_rate?.raw).toMatchObject({ n: 100, mean: 0.7 })
    const expected = correctJudgeRate({ judgeRate: 0.7, n: 100, sensitivity: 1, positives: 60, specificity: 40 / 43, negatives: 43 })
    expect(found.corrected_pass_rate?.rogan_gladen.mean).toBe(expected.rate)
    expect(found.corrected_pass_rate?.lang_reiczigel_interval).toEqual(expected.interval)
    expect(found.ppi).toMatchObject({ n: 203, mean: expect.any(Number) })
    expect(calibrate(good, passFail, settings)).toMatchObject({ corrected_pass_rate: null, ppi: null })
  })

  test('keeps the rate of verdicts that changed with the order', () => {
    const swapped = good.map((entry, i) => ({ ...entry, swapped: { pairs: 1, flips: i < 10 ? 1 : 0 } }))
    expect(calibrate(swapped, passFail, settings).position_flip_rate).toMatchObject({ n: 103, mean: 10 / 103 })
  })

  test('compares scores as ordered numbers', () => {
    const menu: LabelMenu = { task: 'score', labels: [], range: [1, 5] }
    const near = times(100, i => item(String((i % 5) + 1), says(String(Math.min(5, (i % 5) + 2))), i))
    expect(calibrate(near, menu, settings).kappa.mean).toBeGreaterThan(0.6)
    expect(calibrate(near, menu, settings).agreement.mean).toBe(0.2)
  })

  test('has nothing to say about no examples, without NaN', () => {
    const found = calibrate([], passFail, settings)
    expect(found).toMatchObject({ n: 0, verdict: 'uninformative' })
    expect(JSON.stringify(found)).not.toMatch(/NaN|Infinity/)
    expect(found.kappa).toMatchObject({ mean: null, reason: expect.any(String) })
  })
})

describe('predictLabel', () => {
  test('reads a pass as the first of two labels, and waits for a threshold between', () => {
    expect(predictLabel(judged(true, { answer: 'x', explanation: '' }), passFail)).toEqual(says('pass'))
    expect(predictLabel(judged(false, { answer: 'x', explanation: '' }), passFail)).toEqual(says('fail'))
    expect(predictLabel(graded(0.4, { answer: 'x', explanation: '' }), passFail)).toEqual({ kind: 'value', value: 0.4 })
  })
  test('reads the extracted answer as the label of a longer menu', () => {
    const menu: LabelMenu = { task: 'classify', labels: ['red', 'green', 'blue'], range: null }
    expect(predictLabel(judged(false, { answer: ' Green', explanation: '' }), menu)).toEqual(says('green'))
    expect(predictLabel(judged(false, { answer: 'pink', explanation: '' }), menu)).toMatchObject({
      kind: 'unscored',
      reason: expect.stringContaining('pink'),
    })
  })
  test('reads a judge’s word before its value', () => {
    expect(
      predictLabel(graded(0.5, { answer: 'tie', explanation: '', label: 'tie' }), {
        task: 'pairwise',
        labels: ['a', 'b', 'tie'],
        range: null,
      }),
    ).toEqual(says('tie'))
  })
  test('puts a number into the range', () => {
    const menu: LabelMenu = { task: 'score', labels: [], range: [1, 5] }
    expect(predictLabel(graded(0.75, { answer: '4', explanation: '', label: '4' }), menu)).toEqual(says('4'))
    expect(predictLabel(graded(0.75, { answer: null, explanation: '' }), menu)).toEqual(says('4'))
  })
  test('keeps a reason', () => expect(predictLabel(unscored('No target.'), passFail)).toEqual({ kind: 'unscored', reason: 'No target.' }))
})

describe('chooseThreshold', () => {
  test('separates what can be separated', () => {
    const found = chooseThreshold([
      { value: 0.1, passes: false },
      { value: 0.2, passes: false },
      { value: 0.8, passes: true },
      { value: 0.9, passes: true },
    ])
    expect(found?.threshold).toBe(0.5)
    expect(found?.curve.every(({ sensitivity, specificity }) => sensitivity >= 0 && specificity <= 1)).toBe(true)
  })
  test('is undefined without both classes', () => expect(chooseThreshold([{ value: 1, passes: true }])).toBeNull())
  test('puts every item into exactly one part', () => {
    const { chosenOn, reportedOn } = splitInTwo(101, 0.5, 9)
    expect([...chosenOn, ...reportedOn].sort((a, b) => a - b)).toEqual(Array.from({ length: 101 }, (_, i) => i))
  })
})

describe('figures of agreement', () => {
  test('have the AC1 of cohenKappa, and its standard error is that of a bootstrap', () => {
    const table = [
      [118, 5],
      [2, 0],
    ]
    const found = gwetAc1(table)
    expect(found.ac1).toBeCloseTo(cohenKappa(table).gwetAc1 ?? 0, 12)
    const random = mulberry32(11)
    const cells = [118, 5, 2, 0]
    const draws = Array.from({ length: 4000 }, () => {
      let left = 125
      let mass = 125
      const counts = cells.map(count => {
        const drawn = mass === 0 ? 0 : drawBinomial(left, count / mass, random)
        left -= drawn
        mass -= count
        return drawn
      })
      return gwetAc1([counts.slice(0, 2), counts.slice(2)]).ac1 ?? 0
    })
    const mean = draws.reduce((a, b) => a + b) / draws.length
    const deviation = Math.sqrt(draws.reduce((sum, draw) => sum + (draw - mean) ** 2, 0) / (draws.length - 1))
    expect(found.standardError).toBeGreaterThan(0.9 * deviation)
    expect(found.standardError).toBeLessThan(1.1 * deviation)
  })

  test('give balanced accuracy an interval that covers', () => {
    const random = mulberry32(5)
    let covered = 0
    for (let draw = 0; draw < 2000; draw++) {
      const found = balancedAccuracy([
        { items: 80, recognized: drawBinomial(80, 0.9, random) },
        { items: 40, recognized: drawBinomial(40, 0.7, random) },
      ])
      if (found.interval && found.interval.low <= 0.8 && 0.8 <= found.interval.high) covered++
    }
    expect(covered / 2000).toBeGreaterThan(0.93)
    expect(covered / 2000).toBeLessThan(0.98)
  })

  test('cover the truth in 93 to 97 % after correction, where the raw rate hardly ever does', () => {
    const random = mulberry32(20261122)
    const [truth, sensitivity, specificity, draws] = [0.8, 0.85, 0.75, 4000]
    let [covered, raw] = [0, 0]
    for (let draw = 0; draw < draws; draw++) {
      const good = drawBinomial(500, truth, random)
      const passed = drawBinomial(good, sensitivity, random) + drawBinomial(500 - good, 1 - specificity, random)
      const found = correctJudgeRate({
        judgeRate: passed / 500,
        n: 500,
        sensitivity: drawBinomial(100, sensitivity, random) / 100,
        positives: 100,
        specificity: drawBinomial(100, specificity, random) / 100,
        negatives: 100,
      })
      if (found.interval && found.interval.low <= truth && truth <= found.interval.high) covered++
      if (Math.abs(passed / 500 - truth) <= 1.96 * Math.sqrt(((passed / 500) * (1 - passed / 500)) / 500)) raw++
    }
    expect(covered / draws).toBeGreaterThanOrEqual(0.93)
    expect(covered / draws).toBeLessThanOrEqual(0.97)
    expect(raw / draws).toBeLessThan(0.3)
  })
})
