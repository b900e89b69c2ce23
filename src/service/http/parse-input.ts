import { z } from 'zod'
import { ApiError, describeField, describeIssue, type Endpoint, type ErrorDetail, meantIssues } from '../../contract/index.ts'

type Part = 'path' | 'query' | 'body'

/** Parses one part of a request, collecting every field that is refused. */
export function parsePart(schema: z.ZodType | undefined, value: unknown, part: Part): unknown {
  if (!schema) return undefined
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw validationError(meantIssues(parsed.error.issues), part)
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
