import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { z } from 'zod'
import type { Endpoint, EndpointTable } from '../../contract/endpoint.ts'
import { ApiError, invalidField } from '../../contract/errors.ts'
import { currentVersion, supportedVersions } from '../../contract/version.ts'
import {
  authenticate,
  chooseWorkspace,
  type Credentials,
  requireScope,
  presentedToken,
  type Principal,
  sessionCookie,
  type WorkspaceMembership,
} from '../auth/index.ts'
import type { Kernel } from '../kernel.ts'
import { awaitDatabase } from './await-database.ts'
import { sendEvents, whileAdmitted } from './events.ts'
import { sendFile } from './files.ts'
import { originOf } from './guard.ts'
import type { FileReply, Handlers, HtmlPage, Pages, RawReply, UploadPart } from './handler.ts'
import { committed, operatorOf, withIdempotency } from './idempotency.ts'
import { manyBytes } from './json-body.ts'
import { parsePart, queryReader } from './parse-input.ts'
import { prefersHtml } from './accepted.ts'
import { cutTrickle, dropRest } from './cut-trickle.ts'
import { clientGone } from './errors.ts'
import { mediaTypeOf, mountRaw, readRawBody, sendRaw } from './raw-body.ts'
import { withoutTrailingSlash } from './trailing-slash.ts'
import { scrubParts, scrubTyped } from './typed-text.ts'
import { type AnswerSeal, sealUnder } from './sealed-answers.ts'
import { uploadParts } from './uploads.ts'

const mebibyte = 1024 * 1024
/** Bytes that are read of somebody who is not known. */
const mostOfAnyone = 16 * 1024

/** Of operations without query parameters: any is refused by name. */
const noQuery = z.strictObject({})

/** Who asks and where, once the request has passed the door. */
interface Admission {
  readonly principal: Principal | null
  readonly workspace: WorkspaceMembership | null
}

/** A handler, whatever its endpoint: the table's own types were checked where it was bound. */
type AnyHandler = (context: unknown, input: unknown, params?: unknown) => unknown
type AnyPage = (answer: unknown) => HtmlPage

/**
 * Serves every endpoint of a table from its one declaration.
 * @param before what a request waits for once it is parsed; null for none
 */
export function mount<Table extends EndpointTable>(
  app: FastifyInstance,
  kernel: Kernel,
  table: Table,
  handlers: Handlers<Table>,
  { pages, before }: { readonly pages: Pages<Table>; before(id: string): (() => Promise<void> | null) | null },
): void {
  for (const [id, endpoint] of Object.entries(table)) {
    // The mapped types guarantee a handler of the right kind for each id, and a page that takes its answer.
    mountOne(app, kernel, id, endpoint, handlers[id] as unknown as AnyHandler, pages[id] as unknown as AnyPage | undefined, before(id))
  }
}

function mountOne(
  app: FastifyInstance,
  kernel: Kernel,
  id: string,
  endpoint: Endpoint,
  handler: AnyHandler,
  page: AnyPage | undefined,
  pending: (() => Promise<void> | null) | null,
): void {
  const admissions = new WeakMap<FastifyRequest, Admission>()
  const readQuery = queryReader(endpoint)
  const options: RouteOptions = {
    method: endpoint.method,
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    bodyLimit: endpoint.scope === 'public' ? mostOfAnyone : endpoint.kind === 'json_or_upload' ? mebibyte : (endpoint.maxBody ?? mebibyte),
    onRequest: async (request, reply) => {
      negotiateVersion(request, reply)
      const admission = admit(kernel, endpoint, request)
      if (admission.principal) {
        kernel.connections.admit(request.raw.socket, admission.principal.id)
        kernel.throttle.admit(admission.principal)
      }
      admissions.set(request, admission)
      if (endpoint.method !== 'GET') kernel.storage.requireWritable()
      requireContentType(endpoint, request)
      if (isForm(endpoint, request) || isLarge(request)) kernel.storage.requireRoom(lengthOf(request) ?? 0)
      if (isForm(endpoint, request) || !hasBody(request)) return
      if (isLarge(request) && admission.principal) await holdLargeBody(kernel, admission.principal.id, reply)
      cutTrickle(request.raw)
    },
    ...(pending && { preHandler: async () => void (await pending()) }),
    handler: async (request, reply) => {
      const admission = admissions.get(request) ?? { principal: null, workspace: null }
      const context = makeContext(request, reply, admission, originOf(request.raw, kernel.accessPolicy().origins))
      const form = isForm(endpoint, request)
      // Its parser waits for the reader of a part. After the answer there is none, and the connection's next request would not be read.
      if (form) reply.raw.once('finish', () => dropRest(request.raw, endpoint.maxBody ?? mebibyte))
      const secrets = () => kernel.secrets.of(workspacesOf(admission))
      const uploaded = () => scrubParts(uploadParts(request, endpoint.maxBody), secrets)
      const input = {
        params: parsePart(endpoint.params, request.params, 'path'),
        query: parsePart(endpoint.query ?? noQuery, readQuery(queryOf(request)), 'query'),
        body:
          takesJson(endpoint) && !form
            ? await bodyOf(endpoint, request.body, secrets, (lengthOf(request) ?? Number.POSITIVE_INFINITY) > manyBytes)
            : undefined,
      }
      const inTurn = (work: () => unknown) => {
        const { principal } = admission
        return endpoint.computes && principal ? kernel.work.run(principal.id, context.signal, async () => await work()) : work()
      }
      requireHeaders(endpoint, request)
      if (endpoint.method !== 'GET') await awaitDatabase(kernel.db)
      await waitForTurn(kernel, endpoint, form, admission, context.signal)
      switch (endpoint.kind) {
        case 'file':
          return sendFile(request, reply, (await handler(context, input)) as FileReply) // the table binds file endpoints to file handlers
        case 'events': {
          const stillAdmitted = () => admit(kernel, endpoint, request)
          const release = kernel.connections.openStream(admission.principal?.id ?? request.ip)
          reply.raw.once('close', release)
          const admitted = whileAdmitted(context.signal, stillAdmitted)
          return sendEvents(reply, admitted, (await handler({ ...context, signal: admitted.ended }, input)) as AsyncIterable<unknown>) // likewise
        }
        case 'upload': {
          const receive = () => handler(context, uploaded() satisfies AsyncIterable<UploadPart>, input.params)
          return reply.code(endpoint.status).send(await inTurn(receive))
        }
        case 'json_or_upload':
        case 'json': {
          const { params, body: json } = input
          const either = form ? { kind: 'form', params, parts: uploaded() } : { kind: 'json', params, body: json }
          const handle = () => handler(context, endpoint.kind === 'json' ? input : either)
          const answer = () => inTurn(handle)
          if (page && prefersHtml(request.headers.accept)) {
            const { html, contentSecurityPolicy } = page(committed(kernel.db, await answer()))
            return reply
              .code(endpoint.status)
              .type('text/html; charset=utf-8')
              .header('content-security-policy', contentSecurityPolicy)
              .send(html)
          }
          // A form is hashed while it is read, so its handler keeps the key itself.
          const key = endpoint.idempotent === 'own' || form ? null : context.idempotencyKey
          if (!endpoint.idempotent || !key || !admission.principal)
            return reply.code(endpoint.status).send(committed(kernel.db, await answer()))
          const operation = {
            // A person's next session, such as the host's after a restart, keeps the idempotency keys of the last one.
            principalId: operatorOf(admission.principal),
            operation: `${id} ${withoutTrailingSlash(request.url)} ${admission.workspace?.id ?? ''}`,
            key,
            body: request.body,
            seal: sealFor(endpoint, request, key),
          }
          const { body, replayed } = await withIdempotency(kernel, operation, answer)
          if (replayed) reply.header('idempotency-replayed', 'true')
          return reply.code(endpoint.status).type('application/json; charset=utf-8').send(body)
        }
        case 'raw': {
          const answer = await handler(context, { ...input, body: await readRawBody(endpoint, request) })
          if (!endpoint.replyMedia) return reply.code(endpoint.status).send(answer)
          return sendRaw(reply, endpoint.status, answer as RawReply) // the table binds operations with reply media to such handlers
        }
      }
    },
  }
  if (endpoint.kind === 'raw') mountRaw(app, endpoint, scope => scope.route(options))
  else app.route(options)
}

/** Checked first, so that what is searched for secrets has the lengths of its fields; and again where one was removed. */
async function bodyOf(
  { body: schema }: Endpoint,
  given: unknown,
  secrets: () => Promise<readonly string[]>,
  isLong: boolean,
): Promise<unknown> {
  if (isLong) await nextTurn()
  const checked = parsePart(schema, given, 'body')
  if (isLong) await nextTurn()
  const clean = await scrubTyped(given, secrets)
  if (isLong) await nextTurn()
  return clean === given ? checked : parsePart(schema, clean, 'body')
}

/**
 * Callers take turns, so that hundreds of requests of one delay another by one of them. What is sent is executed even where its client
 * has left; what is only read is not.
 */
async function waitForTurn(kernel: Kernel, endpoint: Endpoint, form: boolean, { principal }: Admission, gone: AbortSignal): Promise<void> {
  if (!principal || form || endpoint.kind === 'upload' || endpoint.kind === 'raw') return
  if (endpoint.method === 'GET') await kernel.reads.wait(principal.id, gone)
  else await kernel.writes.wait(principal.id)
}

/** Those whose secrets could be in what was typed. */
function workspacesOf({ principal, workspace }: Admission): string[] {
  return workspace ? [workspace.id] : (principal?.workspaces ?? []).map(({ id }) => id)
}

/** Answers that hold a secret are remembered in a form that the database alone does not give away. */
function sealFor(endpoint: Endpoint, request: FastifyRequest, key: string): AnswerSeal | undefined {
  const token = endpoint.idempotent === 'sealed' ? presentedToken(credentialsOf(request)) : undefined
  return token === undefined ? undefined : sealUnder(token, key)
}

function admit(kernel: Kernel, endpoint: Endpoint, request: FastifyRequest): Admission {
  if (endpoint.scope === 'public') return { principal: null, workspace: null }
  const principal = authenticate(kernel, credentialsOf(request))
  if (endpoint.scope === 'principal') return { principal, workspace: null }
  const header = request.headers['x-workspace-id']
  const workspace = chooseWorkspace(principal, Array.isArray(header) ? header[0] : header)
  requireScope(principal, workspace, ...new Set([endpoint.scope, ...(endpoint.otherScopes ?? [])]))
  return { principal, workspace }
}

export function credentialsOf(request: FastifyRequest): Credentials {
  return { authorization: request.raw.headersDistinct['authorization'] ?? [], cookie: request.cookies[sessionCookie] }
}

function negotiateVersion(request: FastifyRequest, reply: FastifyReply): void {
  const asked = request.headers['service-version'] ?? currentVersion
  const version = supportedVersions.find(supported => supported === asked)
  if (!version) {
    throw new ApiError(
      'unsupported_version',
      `Service-Version "${String(asked).slice(0, 40)}" is not supported; supported: ${supportedVersions.join(', ')}.`,
    )
  }
  reply.header('service-version', version)
}

function requireContentType(endpoint: Endpoint, request: FastifyRequest): void {
  const type = mediaTypeOf(request)
  const isFormed = endpoint.kind === 'upload' || (endpoint.kind === 'json_or_upload' && type === formType)
  const taken = endpoint.media ?? [isFormed ? formType : 'application/json']
  if (!hasBody(request) && (type === undefined || (endpoint.body === undefined && endpoint.kind !== 'raw'))) return
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity' && !endpoint.encodings?.some(known => known === encoding))
    throw new ApiError('unsupported_media_type', `Content-Encoding "${encoding.slice(0, 40)}" is not taken; send the body as it is.`)
  if (type === undefined || !taken.includes(type))
    throw new ApiError(
      'unsupported_media_type',
      `Content-Type "${(type ?? 'none').slice(0, 60)}" is not taken here; send ${taken.join(' or ')}.`,
    )
}

const formType = 'multipart/form-data'

function takesJson({ kind }: Endpoint): boolean {
  return kind === 'json' || kind === 'json_or_upload'
}

function isForm({ kind }: Endpoint, request: FastifyRequest): boolean {
  return kind === 'upload' || (kind === 'json_or_upload' && request.isMultipart())
}

/** Of unknown length, or too long for hundreds of them to be in memory at once. */
function isLarge({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > mebibyte
}

/** Bytes of the body; null where its sender does not say. */
function lengthOf({ headers }: FastifyRequest): number | null {
  const length = Number(headers['content-length'])
  return Number.isSafeInteger(length) && length >= 0 ? length : null
}

/** A body is in memory from its first byte to the answer: the sender's others are read when it is done. */
async function holdLargeBody({ bodies }: Kernel, callerId: string, reply: FastifyReply): Promise<void> {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  const leave = await bodies.enter(callerId, gone.signal)
  if (!leave) throw clientGone()
  reply.raw.once('finish', leave).once('close', leave)
}

function hasBody(request: FastifyRequest): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
}

function requireHeaders(endpoint: Endpoint, request: FastifyRequest): void {
  for (const [name, { required }] of Object.entries(endpoint.headers ?? {})) {
    if (required && !request.headers[name]) throw invalidField(['header', name], 'is required', 'missing')
  }
}

/** Fastify's query is a plain record; a name given twice is a list there, which no schema of ours accepts. */
function queryOf(request: FastifyRequest): Readonly<Record<string, unknown>> {
  return typeof request.query === 'object' && request.query !== null ? { ...request.query } : {}
}

/** Made once: the usual reason is a DOMException with a stack, at the end of every request. */
const closed = clientGone()

function makeContext(request: FastifyRequest, reply: FastifyReply, { principal, workspace }: Admission, origin: string) {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort(closed))
  return {
    requestId: request.id,
    origin,
    signal: gone.signal,
    idempotencyKey: idempotencyKeyOf(request),
    userAgent: request.headers['user-agent'] ?? null,
    principal,
    workspace,
    workspaceId: workspace?.id,
    markReplayed: () => void reply.header('idempotency-replayed', 'true'),
    setNextCursor: (cursor: string | null) => void (cursor === null ? reply : reply.header('next-cursor', cursor)),
    setSessionCookie: (token: string | null, expiresAt?: string) => {
      const base = { path: '/', httpOnly: true, sameSite: 'strict' as const, secure: origin.startsWith('https:') }
      if (token === null) reply.clearCookie(sessionCookie, base)
      else reply.setCookie(sessionCookie, token, expiresAt ? { ...base, expires: new Date(expiresAt) } : base)
    },
  }
}

function idempotencyKeyOf(request: FastifyRequest): string | null {
  const header = request.headers['idempotency-key']
  if (header === undefined) return null
  // The draft standard writes the key as a quoted string; with and without quotes it is the same key.
  const key = (Array.isArray(header) ? header.join(',') : header).replace(/^"(.*)"$/s, '$1')
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw invalidField(['header', 'idempotency-key'], 'must be 1 to 255 printable ASCII characters without blanks')
  return key
}
