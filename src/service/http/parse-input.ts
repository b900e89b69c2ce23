import { z } from 'zod'
import { describeIssue } from '../../contract/describe-issue.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { ApiError, describeField, type ErrorDetail } from '../../contract/errors.ts'
import { meantIssues } from '../../contract/meant-issues.ts'

type Part = 'path' | 'query' | 'body'

/** So that an error can name the value that it refuses. */
export const naming = { reportInput: true } as const

/** Parses one part of a request, collecting every field that is refused. */
export function parsePart(schema: z.ZodType | undefined, value: unknown, part: Part): unknown {
  if (!schema) return undefined
  refuseByParts(schema, value, part)
  const parsed = parseAll(schema, value, part)
  if (parsed.success) return parsed.data
  throw validationError(meantIssues(parsed.error.issues), part)
}

function parseAll(schema: z.ZodType, value: unknown, part: Part): z.ZodSafeParseResult<unknown> {
  try {
    return schema.safeParse(value, naming)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new ApiError('validation_error', `The ${part} has more faults than can be listed. Check one of its items first.`)
  }
}

/** A text field of a form that holds JSON. @throws ApiError validation_error */
export function parseObject(field: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiError('validation_error', `body.${field}: must be a JSON object`, {
      detail: [{ loc: ['body', field], msg: 'must be a JSON object', type: 'json_invalid' }],
    })
  }
}

/** Values of a body from which on some of them are looked at first. */
const manyValues = 5_000
/** Items of a list that is looked at in part, and how many those are: few of each where lists hold lists. */
const longList = 10
const lookedAt = (items: number): number => Math.min(50, 5 + Math.ceil(items / 20))
/** Faults in those from which on the others are not looked at. */
const mostFaults = 10

/**
 * Every fault of every item is collected before a list is refused: 150 kB of empty objects took most of a second, and more than a
 * hundred thousand faults of one list no stack holds. So the first items of long lists, wherever they are, and some of the others, by
 * chance, are parsed before all of them are.
 * @throws ApiError validation_error
 */
function refuseByParts(schema: z.ZodType, value: unknown, part: Part): void {
  if (countUpTo(manyValues, value) < manyValues) return
  /** Which items of the whole those of a shortened list are. */
  const places = new Map<unknown, readonly number[]>()
  const some = shortened(value, places)
  if (places.size === 0) return
  const issues = meantIssues(schema.safeParse(some, naming).error?.issues ?? []).filter(isOfItem)
  if (issues.length < mostFaults) return
  throw validationError(
    issues.slice(0, mostDetails).map(issue => ({ ...issue, path: placeIn(some, issue.path, places) })),
    part,
  )
}

/** How many values there are, and no more than so many are counted. */
function countUpTo(most: number, value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  let count = 1
  for (const held of Object.values(value)) {
    if (count >= most) break
    count += countUpTo(most - count, held)
  }
  return count
}

/** Whether a fault is not for want of the items that were left out: rules between lists, and shortest lengths, miss those. */
function isOfItem(issue: z.core.$ZodIssue): boolean {
  if (issue.code === 'too_small') return issue.origin !== 'array'
  return issue.code !== 'custom' || issue.params?.['choices'] !== undefined
}

function shortened(value: unknown, places: Map<unknown, readonly number[]>): unknown {
  if (typeof value !== 'object' || value === null) return value
  const before = places.size
  if (!Array.isArray(value)) {
    const entries = Object.entries(value).map(([field, held]): [string, unknown] => [field, shortened(held, places)])
    return places.size === before ? value : Object.fromEntries(entries)
  }
  if (value.length < longList) {
    const items = value.map(item => shortened(item, places))
    return places.size === before ? value : items
  }
  const length = lookedAt(value.length)
  const chosen = Array.from({ length }, (_, i) => (i < length / 2 ? i : Math.floor(Math.random() * value.length)))
  const items = chosen.map(at => shortened(value[at], places))
  places.set(items, chosen)
  return items
}

function placeIn(some: unknown, path: readonly PropertyKey[], places: ReadonlyMap<unknown, readonly number[]>): PropertyKey[] {
  let held: unknown = some
  return path.map(key => {
    const original = typeof key === 'number' ? places.get(held)?.[key] : undefined
    held = typeof held === 'object' && held !== null ? Reflect.get(held, key) : undefined
    return original ?? key
  })
}

/** Faults that an answer lists. */
const mostDetails = 50

export function validationError(issues: readonly z.core.$ZodIssue[], part: Part): ApiError {
  const detail: ErrorDetail[] = issues.slice(0, mostDetails).map(issue => ({
    loc: [part, ...issue.path.map(key => (typeof key === 'symbol' ? String(key) : key))],
    msg: describeIssue(issue),
    type: issue.code ?? 'value_error',
  }))
  const [first, ...others] = detail
  const more = others.length > 0 ? ` (and ${others.length} more, see detail)` : ''
  return new ApiError('validation_error', first ? `${describeField(first.loc, first.msg)}${more}` : 'The request is not valid.', { detail })
}

/** Query strings are text; numbers and booleans are read as what the contract says they are, and anything else is left to fail. */
export function queryReader(endpoint: Endpoint): (raw: Readonly<Record<string, unknown>>) => Record<string, unknown> {
  // Found at the first request: for all endpoints it would be a twentieth of the time to start.
  let types: Map<string, ReadType> | undefined
  return raw => {
    types ??= readTypes(endpoint)
    return Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, readValue(types?.get(name), value)]))
  }
}

type ReadType = 'integer' | 'boolean'

function readTypes({ query }: Endpoint): Map<string, ReadType> {
  const types = new Map<string, ReadType>()
  for (const [name, schema] of Object.entries(query?.shape ?? {})) {
    const type = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).type
    if (type === 'integer' || type === 'boolean') types.set(name, type)
  }
  return types
}

function readValue(type: ReadType | undefined, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (type === 'integer' && /^-?\d{1,16}$/.test(value)) return Number(value)
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}
