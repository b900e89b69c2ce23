import type { ProviderFault } from '../engine/clients/tracing/provider-fault.ts'
import type { BackfillPlace, BackfillWindow, ItemsQuery, ProviderName } from '../engine/clients/tracing/trace-adapter.ts'
import type { ExampleFields, FieldPaths } from '../engine/importing/traces/example-fields.ts'
import type { Json, ProviderAnnotation } from '../engine/importing/traces/mapped-span.ts'
import type { SpanRow } from '../engine/importing/traces/span-row.ts'
import type { MediaFile } from '../contract/media/media.schemas.ts'
import type { TraceDetail } from '../contract/traces/traces.schemas.ts'

/** A reply of a backfill, to be read. */
export interface ReadPageTask {
  readonly kind: 'page'
  readonly provider: ProviderName
  readonly body: Uint8Array
  readonly place: BackfillPlace
  readonly window: BackfillWindow
}

export interface ReadPage {
  readonly rows: readonly SpanRow[]
  readonly annotations: readonly ProviderAnnotation[]
  /** Records of the reply, whatever became of them. */
  readonly received: number
  readonly next: BackfillPlace | null
  readonly deprecation: string | null
}

export interface ReadOtlpTask {
  readonly kind: 'otlp'
  readonly mediaType: string
  readonly bytes: Uint8Array
}

export interface ReadOtlp {
  readonly rows: readonly SpanRow[]
  readonly rejected: number
  readonly reasons: readonly string[]
}

/** A page of a provider's dataset or experiment, to be made into examples. */
export interface ReadItemsTask {
  readonly kind: 'items'
  readonly provider: ProviderName
  readonly body: Uint8Array
  readonly query: ItemsQuery
  readonly dialect: BackfillPlace['dialect']
  readonly paths: FieldPaths
}

export interface ReadItem {
  readonly id: string
  readonly fields: ExampleFields
  readonly metadata: Json
  readonly skip: string | null
  /** SHA-256 of the provider's item, in hexadecimal. */
  readonly digest: string
  /** What the fields show; the files are written. */
  readonly media: readonly MediaFile[]
}

export interface ReadItems {
  readonly items: readonly ReadItem[]
  readonly nextCursor: string | null
}

/** A stored trace, to be read and described. */
export interface DescribeTraceTask {
  readonly kind: 'describe'
  readonly workspaceId: string
  readonly traceId: string
  readonly spanId: string | null
}

/** Stored traces in the order of a list, of which those with an exact text are wanted. */
export interface FindTracesTask {
  readonly kind: 'find'
  /** Selects the numbers of the traces. */
  readonly among: { readonly sql: string; readonly parameters: readonly unknown[] }
  readonly text: string
  /** The search ends with so many. */
  readonly most: number
}

/** Stored traces, to be made into examples. */
export interface TraceExamplesTask {
  readonly kind: 'examples'
  readonly workspaceId: string
  readonly traceIds: readonly string[]
  readonly paths: FieldPaths
}

export interface TraceExample {
  readonly traceId: string
  readonly origin: Json
  readonly fields: ExampleFields
}

export type TraceTask = ReadPageTask | ReadOtlpTask | ReadItemsTask | DescribeTraceTask | FindTracesTask | TraceExamplesTask

export interface TraceAnswers {
  readonly page: ReadPage
  readonly otlp: ReadOtlp
  readonly items: ReadItems
  /** Null where the workspace has no such trace. */
  readonly describe: TraceDetail | null
  /** Numbers of the traces that were found. */
  readonly find: readonly number[]
  readonly examples: readonly TraceExample[]
}

/** Refusals cross threads as data; an error would lose its class. */
export type TraceAnswer<Kind extends TraceTask['kind']> =
  | { readonly ok: true; readonly value: TraceAnswers[Kind] }
  | { readonly ok: false; readonly fault: ProviderFault['code'] | 'otlp' | 'limit'; readonly message: string }
