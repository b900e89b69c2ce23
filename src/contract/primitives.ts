import { z } from 'zod'

/** An object of just these fields, by the name that it has in the OpenAPI document. */
export const named = <Fields extends z.core.$ZodLooseShape>(id: string, fields: Fields, description?: string) =>
  z.strictObject(fields).meta({ id, ...(description !== undefined && { description }) })

/** UUIDv7 when made here; any RFC 9562 UUID is accepted from clients. */
export const Uuid = z.uuid()

/** RFC 3339, UTC, milliseconds. */
export const Timestamp = z.iso.datetime({ precision: 3 }).meta({ example: '2026-11-20T09:30:00.000Z' })

/** Whole micro-USD as a decimal string: "1000000" is one US dollar. Never negative. */
export const MicroUsd = z
  .string()
  .regex(/^(0|[1-9]\d{0,17})$/, 'must be whole micro-USD as a decimal string, e.g. "1000000" for one US dollar')
  .meta({ example: '1000000' })

/** Micro-USD that may be negative: a ledger entry or a balance. */
export const SignedMicroUsd = z
  .string()
  .regex(/^-?(0|[1-9]\d{0,17})$/, 'must be whole micro-USD as a decimal string')
  .meta({ example: '-250000' })

/** Lower-case hexadecimal SHA-256. */
export const Sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' })

/** Opaque, base64url, bound to the endpoint and filters that issued it. */
export const Cursor = z.string().min(1).max(2048)

/** A display name. Surrounding whitespace is trimmed; control characters are refused. */
export const Name = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^\P{Cc}*$/u, 'must not hold control characters')

/** Whether an address that is stored and shown as it is holds no user name and no password. */
export const hasNoCredentials = (url: string): boolean => !/^[a-z]+:\/*[^/?#]*@/i.test(url)
export const credentialsFault = 'must not hold a user name or password, which would be stored and shown'

/** Free-form JSON object with keys that Assay does not define. */
export const JsonObject = z.record(z.string(), z.unknown())

export const limitQuery = (byDefault: number, max = 100) => z.int().min(1).max(max).default(byDefault)

/** `cursor` and `limit` of a paged listing. */
export const paging = (byDefault = 50) => ({ cursor: Cursor.optional(), limit: limitQuery(byDefault) })

/** One page, newest first unless the endpoint says otherwise; follow `next_cursor` until it is null. */
export const page = <Item extends z.ZodType>(item: Item) => z.strictObject({ items: z.array(item), next_cursor: Cursor.nullable() })

interface PartQuery {
  readonly breakdown?: string | undefined
  readonly breakdown_value?: string | undefined
}

/** Most characters that a filter of a breakdown's part takes. A part with a longer one is shown and cannot be filtered by. */
export const partLimits = { dimension: 200, value: 1000 } as const

/** For queries with `breakdown` and `breakdown_value`: one without the other would filter by nothing. */
export const namesWholePart: [holds: (query: PartQuery) => boolean, fault: { path: string[]; error: string }] = [
  (query: PartQuery) => (query.breakdown === undefined) === (query.breakdown_value === undefined),
  { path: ['breakdown_value'], error: 'must be given together with breakdown' },
]

/** How the text of a search is read. */
export const textMatches = ['words', 'exact'] as const
export const textMatch = z.enum(textMatches).default('words').describe('`exact`: `q` is found as it is, case included.')

/** What `q` is where whole texts are searched. */
export const textSearch =
  'Words, "phrases" and -exclusions, in any case, with or without accents; a word of three letters or more also matches longer ones.'
