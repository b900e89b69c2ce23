import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkVector, parseVectors, vectorFunctionNames } from '../../../src/headless/vectors/statistics/vectors.ts'
import { program } from '../../support/program.ts'

const shared = new URL('../../../../shared/vectors/stat-vectors.json', import.meta.url)
const present = existsSync(shared)
const rows = present ? parseVectors(JSON.parse(readFileSync(shared, 'utf8'))) : []

describe.skipIf(!present)('the shared vectors (skipped where ../shared/vectors/stat-vectors.json is absent)', () => {
  test('are 175 rows of 61 functions, each of which is known', () => {
    expect(rows).toHaveLength(175)
    expect(new Set(rows.map(row => row.fn))).toEqual(new Set(vectorFunctionNames))
  })

  test.each(rows.map((row, i) => ({ row, name: `row ${i + 1}, ${row.fn}` })))('$name', ({ row }) => {
    expect(checkVector(row).problem).toBeNull()
  })
})

describe('checkVector', () => {
  const passAtK = { fn: 'pass_at_k', inputs: { n: 3, c: 1, k: 5 }, expected: { error: 'k>n' }, tol: 1e-9 }
  const meanSe = { fn: 'mean_se', inputs: { scores: [1] }, expected: { mean: 1, se: 'NaN' }, tol: 1e-9 }

  test('passes what agrees', () => {
    expect(checkVector(passAtK).problem).toBeNull()
    expect(checkVector(meanSe).problem).toBeNull()
  })

  test('allows an error of tol (1 + |expected|) and no more', () => {
    const row = { fn: 'elo_update', inputs: { ra: 1500, rb: 1500, score_a: 1, k: 32 }, expected: { ra: 1517 }, tol: 1 / 1518 }
    expect(checkVector(row).problem).toBeNull()
    expect(checkVector({ ...row, tol: 0.99 / 1518 }).problem).toContain('at .ra: expected 1517, got 1516')
  })

  test.each([
    ['a number that differs', { ...meanSe, expected: { mean: 2 } }, 'at .mean: expected 2, got 1'],
    ['null where a number is due', { ...meanSe, expected: { se: 0 } }, 'expected 0, got null'],
    ['a number where null is due', { ...meanSe, expected: { mean: 'NaN' } }, 'where null with a reason is due'],
    ['an answer where a refusal is due', { ...passAtK, inputs: { n: 5, c: 1, k: 1 } }, 'expected a refusal'],
    ['null where an answer is due', { ...passAtK, expected: 0.5 }, 'expected 0.5, got null'],
    ['a key that is not there', { ...meanSe, expected: { median: 1 } }, 'at .median'],
    [
      'a list of another length',
      { fn: 'holm_reject', inputs: { p: [0.01], alpha: 0.05 }, expected: [true, true], tol: 0 },
      'expected [true,true]',
    ],
    [
      'another word',
      { fn: 'holm_reject', inputs: { p: [0.9], alpha: 0.05 }, expected: [true], tol: 0 },
      'at [0]: expected true, got false',
    ],
    ['an unknown function', { ...meanSe, fn: 'median' }, 'no function "median"'],
    ['inputs of another shape', { ...meanSe, inputs: { scores: 'x' } }, 'another shape'],
    ['inputs that are refused', { fn: 'norm_ppf', inputs: { p: 2 }, expected: 1, tol: 1 }, 'refused: p is 2'],
  ])('reports %s', (_, row, problem) => expect(checkVector(row).problem).toContain(problem))

  test('says which rows follow a form that results do not use', () => {
    const inputs = { k_new: 80, n_new: 100, k_old: 82, n_old: 100, margin: 0.1, alpha: 0.05 }
    const row = { fn: 'noninferiority_two_proportions', inputs, expected: { z_farrington_manning: 1.4192197424 }, tol: 1e-9 }
    expect(checkVector(row)).toEqual({ problem: null, note: expect.stringContaining('statsmodels') })
  })

  test('does not take anything else for a list of rows', () => expect(() => parseVectors({ fn: 'mean_se' })).toThrow())
})

describe('npm run stats', () => {
  function run(vectors: string | null): { status: number | null; lines: string[]; errors: string } {
    const folder = mkdtempSync(join(tmpdir(), 'assay-stats-'))
    try {
      const file = join(folder, 'vectors.json')
      if (vectors !== null) writeFileSync(file, vectors)
      const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'stats', '--vectors', file], { encoding: 'utf8' })
      return { status, lines: stdout.trimEnd().split('\n'), errors: stderr }
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

  const good = { fn: 'bernoulli_se', inputs: { k: 70, n: 100 }, expected: 0.045825756949558406, tol: 1e-9 }

  test('counts what passes', () => expect(run(JSON.stringify([good, good]))).toMatchObject({ status: 0, lines: ['2 passed, 0 failed'] }))

  test('prints each failing row on a line and ends with 1', () => {
    const { status, lines } = run(JSON.stringify([good, { ...good, expected: 0.05 }]))
    expect(status).toBe(1)
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatch(/^row 2, bernoulli_se: expected 0.05, got 0.0458/)
    expect(lines[1]).toBe('1 passed, 1 failed')
  })

  test('ends with 2 when the file is missing or no list of rows', () => {
    expect(run(null)).toMatchObject({ status: 2, errors: expect.stringContaining('The file cannot be read') })
    expect(run('{}').status).toBe(2)
  })
})
