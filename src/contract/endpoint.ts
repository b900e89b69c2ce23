import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import type { Scope } from './scopes.ts'

type ObjectSchema = z.ZodObject

/**
 * One operation of the interface. From this one declaration come the route, validation, scope check, error envelope,
 * idempotency, the OpenAPI document, the typed client and the test that walks every endpoint.
 */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Path with `{name}` placeholders, each declared in `params`. */
  readonly path: `/${string}`
  readonly tag: string
  readonly summary: string
  /** What the summary cannot say: limits, states, what to do next. */
  readonly description: string
  /** The scope a key needs; `public` requires no credentials; `principal` any valid key or session, without a workspace. */
  readonly scope: Scope | 'public' | 'principal'
  /** Scopes of which any opens it, too, for as much as its handler allows each. */
  readonly otherScopes?: readonly Scope[]
  readonly status: 200 | 201 | 202
  readonly params?: ObjectSchema
  readonly query?: ObjectSchema
  /** Request headers beyond the ones of every request, by lower-case name. */
  readonly headers?: Readonly<Record<string, { readonly required: boolean; readonly description: string }>>
  /** JSON body; for `upload` the text fields of the multipart form. */
  readonly body?: z.ZodType
  /** For `json_or_upload`: the text fields of the multipart form, whose files are its `file` parts. */
  readonly form?: z.ZodType
  /** JSON reply; for `events` the data of one event; for `file` absent. */
  readonly response?: z.ZodType
  /** Content types of a `file` reply. */
  readonly files?: readonly string[]
  /** What files of a type are like, with few of their fields, for the OpenAPI document. */
  readonly fileExamples?: Readonly<Record<string, string>>
  /**
   * `json_or_upload` takes its content as JSON (at most 1 MiB) or, larger, as a multipart form. `raw` takes bodies of the declared media types,
   * which its handler reads itself.
   */
  readonly kind: 'json' | 'file' | 'events' | 'upload' | 'json_or_upload' | 'raw'
  /** Honors `Idempotency-Key`: every POST that creates something. `stored` by the kernel; `sealed` likewise, encrypted, if the response contains a secret; `own` if the resource stores the key. */
  readonly idempotent?: 'stored' | 'sealed' | 'own'
  /** Takes much of the service's time: one key or session has two such requests at work, and the others wait. */
  readonly computes?: true
  /** Largest body in bytes; 1 MiB when absent. Of a `json_or_upload` the largest form. */
  readonly maxBody?: number
  /** Media types that a `raw` operation takes. */
  readonly media?: readonly string[]
  /** Content encodings that a `raw` operation accepts besides identity. */
  readonly encodings?: readonly 'gzip'[]
  /** Largest body of a `raw` operation once decoded, in bytes; `maxBody` when absent. */
  readonly maxDecodedBody?: number
  /** Media types of a `raw` operation's reply, which its handler writes itself; JSON of `response` when absent. */
  readonly replyMedia?: readonly string[]
  /** Headers of a successful response beyond the common ones, with their meaning. */
  readonly replyHeaders?: Readonly<Record<string, string>>
  /** Error codes beyond those that any operation may return and `impliedErrors`. */
  readonly errors?: readonly ErrorCode[]
}

/** The error codes that follow from what an operation takes: those of path, body, media and `Idempotency-Key`. */
export function impliedErrors({ params, query, headers, body, media, idempotent }: Endpoint): ErrorCode[] {
  return [
    ...(params ? (['not_found'] as const) : []),
    ...(params || query || body || headers ? (['validation_error'] as const) : []),
    ...(body || media ? (['malformed_json', 'unsupported_media_type', 'payload_too_large'] as const) : []),
    ...(idempotent ? (['idempotency_mismatch', 'idempotency_in_progress'] as const) : []),
  ]
}

export type EndpointTable = Readonly<Record<string, Endpoint>>

type Derived = 'method' | 'path'
type Defaulted = 'tag' | 'status' | 'kind'

/** An operation as its table states it. */
type Declared = Omit<Endpoint, Derived | Defaulted> &
  Partial<Pick<Endpoint, Defaulted>> & { readonly [Key in Derived]?: never } & {
    /** Method and path, as in `GET /v1/runs/{run_id}`. */
    readonly route: `${Endpoint['method']} ${Endpoint['path']}`
  }

type Completed<E extends Declared> = Omit<E, 'route'> & {
  readonly tag: string
  readonly method: E['route'] extends `${infer Method extends Endpoint['method']} ${string}` ? Method : never
  readonly path: E['route'] extends `${string} ${infer Path extends Endpoint['path']}` ? Path : never
  readonly status: E extends { readonly status: infer Status } ? Status : 200
  readonly kind: E extends { readonly kind: infer Kind } ? Kind : 'json'
}

/**
 * Checks the shape of a table and keeps its literal types. A route becomes method and path; the operation answers 200 and JSON
 * under the table's tag where it states nothing else.
 */
export function endpoints<const Table extends Readonly<Record<string, Declared>>>(
  tag: string,
  table: Table,
): { readonly [Id in keyof Table]: Completed<Table[Id]> } {
  const completed = Object.entries(table).map(([id, { route, ...endpoint }]) => {
    const [method, path] = route.split(' ')
    return [id, { tag, status: 200, kind: 'json', ...endpoint, method, path }]
  })
  return Object.fromEntries(completed) as { [Id in keyof Table]: Completed<Table[Id]> } // the entries of the table, each completed
}

type Out<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined
type In<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined

/** A handler's parsed input. */
export type Input<E extends Endpoint> = {
  readonly params: Out<E['params']>
  readonly query: Out<E['query']>
  readonly body: Out<E['body']>
}

/** A handler's result, before serialization to JSON. */
export type Reply<E extends Endpoint> = E extends { response: infer R } ? (R extends z.ZodType ? z.input<R> : never) : never

type Part<Key extends string, Schema> = Schema extends z.ZodType
  ? Record<never, never> extends In<Schema>
    ? { readonly [K in Key]?: In<Schema> }
    : { readonly [K in Key]: In<Schema> }
  : { readonly [K in Key]?: undefined }

/** What a client sends. */
export type Request<E extends Endpoint> = Part<'params', E['params']> &
  Part<'query', E['query']> &
  Part<'body', E['body']> & { readonly headers?: Readonly<Record<string, string>> }

/** A client's parsed response. */
export type Response<E extends Endpoint> = E extends { response: infer R } ? (R extends z.ZodType ? z.output<R> : never) : never
