import { expect, test } from 'vitest'
import { decideRelease } from '../../../../../src/engine/reporting/releases/decide.ts'
import type { GroupColumns } from '../../../../../src/engine/reporting/releases/figures.ts'
import { mulberry32 } from '../../../../../src/engine/statistics/random.ts'
import { figuresOf, groupOf } from '../../../../support/release-figures.ts'

/** `npm run test:policies` takes 2,000; the short form finds gross errors. */
const simulations = Number(process.env['ASSAY_SIMULATIONS'] ?? 150)
const n = 240
const alpha = 0.05
/** Three standard errors of a share of α above it. */
const most = alpha + 3 * Math.sqrt((alpha * (1 - alpha)) / simulations)

interface Truth {
  readonly candidate: number
  readonly baseline: number
  readonly errors: number
  /** Share of answers within 100 ms. */
  readonly fast: number
}

function draw({ candidate, baseline, errors, fast }: Truth, random: () => number): GroupColumns {
  // One uniform number for each task makes the sides depend on each other, as the same questions do.
  const shared = Array.from({ length: n }, random)
  const own = (p: number) => shared.map(u => ((random() < 0.5 ? u : random()) < p ? 1 : 0))
  const group = groupOf(own(candidate), own(baseline))
  return {
    ...group,
    candidate: {
      ...group.candidate,
      failed: Uint8Array.from(shared, () => (random() < errors ? 1 : 0)),
      latency: Float64Array.from(shared, () => (random() < fast ? 50 : 150)),
    },
  }
}

const rules = [
  { kind: 'min_score', key: 'score', threshold: 0.6 },
  { kind: 'superiority', key: 'better', delta: 0.02 },
  { kind: 'non_inferiority', key: 'not-worse', margin: 0.1 },
  { kind: 'max_error_rate', key: 'errors', threshold: 0.1 },
  { kind: 'max_latency', key: 'latency', quantile: 0.9, max_ms: 100 },
] as const
const good: Truth = { candidate: 0.95, baseline: 0.6, errors: 0.01, fast: 0.99 }

test.each<[string, Partial<Truth>]>([
  ['the score is at its threshold', { candidate: 0.6, baseline: 0.3 }],
  ['the improvement is δ', { candidate: 0.92, baseline: 0.9 }],
  ['the error rate is at its threshold', { errors: 0.1 }],
  ['the latency quantile is at its limit', { fast: 0.9 }],
])('approves at most α of the time when four rules hold and %s', (_, wrong) => {
  const random = mulberry32(20261123)
  let approved = 0
  for (let i = 0; i < simulations; i++)
    if (decideRelease(figuresOf(rules, [draw({ ...good, ...wrong }, random)])).recommendation === 'approve') approved++
  expect(approved / simulations).toBeLessThanOrEqual(most)
})

test('approves a candidate that is good by every rule', () => {
  const random = mulberry32(7)
  let approved = 0
  for (let i = 0; i < simulations; i++) if (decideRelease(figuresOf(rules, [draw(good, random)])).recommendation === 'approve') approved++
  expect(approved / simulations).toBeGreaterThan(0.9)
})

test('keeps α over three looks at a growing sample', () => {
  const random = mulberry32(11)
  let approved = 0
  for (let i = 0; i < simulations; i++) {
    const all = draw({ ...good, candidate: 0.7, baseline: 0.8 }, random)
    const values = (from: Float64Array | undefined, to: number) => [...(from ?? [])].slice(0, to)
    for (const look of [1, 2, 3]) {
      const seen = (n * look) / 3
      const group = groupOf(values(all.candidate.values[''], seen), values(all.baseline?.values[''], seen))
      const { recommendation } = decideRelease(figuresOf([{ kind: 'non_inferiority', key: 'a', margin: 0.1 }], [group], { looks: 3, look }))
      if (recommendation === 'approve') approved++
      if (recommendation !== 'inconclusive') break
    }
  }
  expect(approved / simulations).toBeLessThanOrEqual(most)
})
