import type { Outcome } from './vector-function.ts'
import { isObject } from '../../../lib/json-value.ts'

/** Where and how an outcome differs from what a row expects by more than `tol`; null where it does not. */
export function disagreement(expected: unknown, { value, reason }: Outcome, tol: number): string | null {
  if (isRefusal(expected)) {
    return isAllNull(value) && reason ? null : `expected a refusal (${show(expected)}), got ${show(value)}`
  }
  return differenceAt('', expected, value, reason, tol)
}

/** Whether the row expects the function to refuse its inputs. */
export function isRefusal(expected: unknown): boolean {
  return isObject(expected) && 'error' in expected
}

function differenceAt(path: string, expected: unknown, actual: unknown, reason: string | null, tol: number): string | null {
  const problem = `${path === '' ? '' : `at ${path}: `}expected ${show(expected)}, got ${show(actual)}`
  if (expected === 'NaN') return actual === null && reason ? null : `${problem}, where null with a reason is due`
  if (typeof expected === 'number') {
    if (typeof actual !== 'number') return actual === null ? `${problem} (${reason ?? 'no reason'})` : problem
    return Math.abs(actual - expected) <= tol * (1 + Math.abs(expected)) ? null : `${problem}, more than ${tol} (1 + |expected|) apart`
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return problem
    return firstOf(expected.map((entry, i) => differenceAt(`${path}[${i}]`, entry, actual[i], reason, tol)))
  }
  if (isObject(expected)) {
    const found = actual === null ? {} : actual
    if (!isObject(found)) return problem
    return firstOf(Object.entries(expected).map(([key, entry]) => differenceAt(`${path}.${key}`, entry, found[key] ?? null, reason, tol)))
  }
  return actual === expected ? null : problem
}

function firstOf(problems: readonly (string | null)[]): string | null {
  return problems.find(problem => problem !== null) ?? null
}

function isAllNull(value: unknown): boolean {
  return value === null || (isObject(value) && Object.values(value).every(isAllNull))
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing'
}
