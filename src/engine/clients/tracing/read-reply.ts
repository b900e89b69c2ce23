import { badReply } from './provider-fault.ts'
import { isObject } from '../../../lib/json-value.ts'

export type Json = Readonly<Record<string, unknown>>

/** @throws ProviderFault bad_response */
export function objectIn(value: unknown): Json {
  if (!isObject(value)) throw badReply('is no JSON object')
  return value
}

/** The objects of a list; anything else in it is refused. @throws ProviderFault bad_response */
export function objectsIn(value: unknown, name: string): readonly Json[] {
  if (!Array.isArray(value) || !value.every(isObject)) throw badReply(`has no list "${name}"`)
  return value
}

export function textIn(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** @throws ProviderFault bad_response */
export function requiredText(from: Json, name: string): string {
  const found = textIn(from[name])
  if (found === null) throw badReply(`lacks "${name}"`)
  return found
}

export function countIn(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}

/** RFC 3339 in UTC with milliseconds, or null. */
export function timeIn(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const ms = Date.parse(/(?:Z|[+-]\d{2}:?\d{2})$/i.test(value) ? value : `${value}Z`)
  return Number.isFinite(ms) && ms >= 0 ? new Date(ms).toISOString() : null
}

export function objectOrEmpty(value: unknown): Json {
  return isObject(value) ? value : {}
}

/** A page number or an offset that we wrote into a cursor. */
export function numberCursor(cursor: string | null, first: number): number {
  return cursor !== null && /^\d{1,9}$/.test(cursor) ? Number(cursor) : first
}
