import { ReleaseRule } from '../../src/contract/releases/rules.schemas.ts'
import type { DecisionFigures, GroupColumns, SideColumns } from '../../src/engine/reporting/releases/figures.ts'

type Rule = Parameters<typeof ReleaseRule.parse>[0]

/** Columns of pass/fail values; every task answered at a known cost in 100 ms. */
export function sideOf(values: readonly number[], isBinary = true): SideColumns {
  const column = (value: number) => new Float64Array(values.length).fill(value)
  return {
    values: { '': Float64Array.from(values) },
    binary: isBinary ? [''] : [],
    failed: new Uint8Array(values.length),
    cost: column(50),
    latency: column(100),
  }
}

export function groupOf(candidate: readonly number[], baseline: readonly number[] | null, more: Partial<GroupColumns> = {}): GroupColumns {
  return {
    key: 'all',
    weight: 1,
    critical: false,
    tasks: candidate.map((_, i) => `task ${i}`),
    clusters: null,
    candidate: sideOf(candidate),
    baseline: baseline && sideOf(baseline),
    ...more,
  }
}

export function figuresOf(rules: readonly Rule[], groups: readonly GroupColumns[], more: Partial<DecisionFigures> = {}): DecisionFigures {
  return {
    rules: rules.map(rule => ReleaseRule.parse(rule)),
    alpha: 0.05,
    looks: 1,
    look: 1,
    groups,
    confirmations: null,
    external: [],
    facts: {
      judges: [],
      calibrations: [],
      labels: {},
      capabilities: { named: 0, covered: 0 },
      criticalIssues: { open: 0, covered: 0 },
      issues: { critical: 0, high: 0, medium: 0, low: 0 },
    },
    now: '2026-11-23T00:00:00.000Z',
    ...more,
  }
}

/** Pass/fail columns of the two models with the given discordant counts. */
export function pairedCounts(onlyCandidate: number, onlyBaseline: number, both: number, neither: number): GroupColumns {
  const repeat = (n: number, value: number) => Array.from({ length: n }, () => value)
  return groupOf(
    [...repeat(onlyCandidate, 1), ...repeat(onlyBaseline, 0), ...repeat(both, 1), ...repeat(neither, 0)],
    [...repeat(onlyCandidate, 0), ...repeat(onlyBaseline, 1), ...repeat(both, 1), ...repeat(neither, 0)],
  )
}
