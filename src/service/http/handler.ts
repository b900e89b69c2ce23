import type { Readable } from 'node:stream'
import type { Endpoint, EndpointTable, Input, Reply } from '../../contract/endpoint.ts'
import type { Principal, WorkspaceMembership } from '../auth/index.ts'

export interface RequestContext {
  readonly requestId: string
  /** The address used by the client, e.g. `http://127.0.0.1:4747`. */
  readonly origin: string
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal
  readonly idempotencyKey: string | null
  /** As sent. */
  readonly userAgent: string | null
  /** Says in the reply that it repeats an earlier one to the same Idempotency-Key. */
  markReplayed(): void
  /** Sends the cursor of the next page in the header `Next-Cursor`, for lists that answer plain arrays; none when null. */
  setNextCursor(cursor: string | null): void
  /** Sets or clears the browser's session cookie. */
  setSessionCookie(token: string | null, expiresAt?: string): void
}

export interface PrincipalContext extends RequestContext {
  readonly principal: Principal
}

export interface WorkspaceContext extends PrincipalContext {
  readonly workspace: WorkspaceMembership
  readonly workspaceId: string
}

/** Who asks, where. */
export type Asker = Pick<WorkspaceContext, 'principal' | 'workspace'>

interface NamedFile {
  readonly contentType: string
  readonly fileName: string
  /** Of stored media: true where a page may show it, false where it is only to be saved. Both are sandboxed. */
  readonly isShown?: boolean
}

export type FileReply = NamedFile &
  (
    | { readonly kind: 'stream'; readonly stream: Readable }
    /** Never changes, so that a download can be resumed. */
    | {
        readonly kind: 'whole'
        readonly bytes: number
        /** In quotation marks. */
        readonly etag: string
        /** @param to inclusive */
        open(from: number, to: number): Readable
      }
  )

/** One `file` part of a multipart form, to be read to its end before the next. */
export interface UploadedFile {
  readonly fileName: string
  readonly stream: Readable
}

/** A multipart form, part by part, in the order sent. */
export type UploadPart =
  | { readonly kind: 'field'; readonly name: string; readonly value: string }
  | ({ readonly kind: 'file' } & UploadedFile)

/** A body of a `raw` operation, decoded and unread. */
export interface RawBody {
  /** One of the operation's media types, without parameters. */
  readonly mediaType: string
  readonly bytes: Buffer
}

/** A reply that a `raw` operation wrote itself. */
export interface RawReply {
  readonly contentType: string
  readonly body: Uint8Array | string
}

type RawInput<E extends Endpoint> = Omit<Input<E>, 'body'> & { readonly body: RawBody }

/** What a `json_or_upload` was sent: a parsed JSON body, or a form to be read part by part. */
export type EitherBody<E extends Endpoint> =
  | { readonly kind: 'json'; readonly params: Input<E>['params']; readonly body: Input<E>['body'] }
  | { readonly kind: 'form'; readonly params: Input<E>['params']; readonly parts: AsyncIterable<UploadPart> }

type ContextOf<E extends Endpoint> = E['scope'] extends 'public'
  ? RequestContext
  : E['scope'] extends 'principal'
    ? PrincipalContext
    : WorkspaceContext

/** Makes what was prepared and gives the answer, at once: the two are stored together. Prepared things are not made before it. */
type Commit<Answer> = () => Answer

type HandlerOf<E extends Endpoint> = E['kind'] extends 'file'
  ? (context: ContextOf<E>, input: Input<E>) => FileReply | Promise<FileReply>
  : E['kind'] extends 'events'
    ? (context: ContextOf<E>, input: Input<E>) => AsyncIterable<Reply<E>> | Promise<AsyncIterable<Reply<E>>>
    : E['kind'] extends 'upload'
      ? (context: ContextOf<E>, parts: AsyncIterable<UploadPart>, params: Input<E>['params']) => Promise<Reply<E>>
      : E['kind'] extends 'raw'
        ? (context: ContextOf<E>, input: RawInput<E>) => Promise<E extends { replyMedia: readonly string[] } ? RawReply : Reply<E>>
        : E['kind'] extends 'json_or_upload'
          ? (context: ContextOf<E>, input: EitherBody<E>) => Reply<E> | Promise<Reply<E>>
          : (context: ContextOf<E>, input: Input<E>) => Reply<E> | Promise<Reply<E> | Commit<Reply<E>>>

/** A page that an answer can be shown as. */
export interface HtmlPage {
  readonly html: string
  readonly contentSecurityPolicy: string
}

/** How answers of a table look to clients that prefer text/html; most have no such page. */
export type Pages<Table extends EndpointTable> = { readonly [Id in keyof Table]?: (answer: Reply<Table[Id]>) => HtmlPage }

/** One handler for each operation of a table; the compiler misses none. */
export type Handlers<Table extends EndpointTable> = { readonly [Id in keyof Table]: HandlerOf<Table[Id]> }
