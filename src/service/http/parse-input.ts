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
  const parsed = schema.safeParse(value, naming)
  if (parsed.success) return parsed.data
  throw validationError(meantIssues(parsed.error.issues), part)
}

/** Items of a list from which on some of them are looked at first, and how many those are. */
const longList = 1_000
const lookedAt = 200
/** Faults in those from which on the others are not looked at: fewer may come of rules between lists, of which parts were left out. */
const mostFaults = 10

/**
 * Every fault of every item is collected before a list is refused: 150 kB of empty objects took most of a second. So the first items of
 * long lists and some of the others, by chance, are parsed before all of them are.
 * @throws ApiError validation_error
 */
function refuseByParts(schema: z.ZodType, value: unknown, part: Part): void {
  if (typeof value !== 'object' || value === null) return
  const places = new Map<string, readonly number[]>()
  const some = Object.entries(value).map(([field, held]): [string, unknown] => {
    if (!Array.isArray(held) || held.length < longList) return [field, held]
    const chosen = Array.from({ length: lookedAt }, (_, i) => (i < lookedAt / 2 ? i : Math.floor(Math.random() * held.length)))
    places.set(field, chosen)
    return [field, chosen.map(at => held[at] as unknown)]
  })
  if (places.size === 0) return
  const issues = schema.safeParse(Object.fromEntries(some), naming).error?.issues ?? []
  if (issues.length < mostFaults) return
  const placed = issues.map(issue => {
    const [field, at, ...rest] = issue.path
    const original = typeof at === 'number' ? places.get(String(field))?.[at] : undefined
    return original === undefined ? issue : { ...issue, path: [field ?? '', original, ...rest] }
  })
  throw validationError(meantIssues(placed), part)
}

export function validationError(issues: readonly z.core.$ZodIssue[], part: Part): ApiError {
  const detail: ErrorDetail[] = issues.slice(0, 50).map(issue => ({
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
