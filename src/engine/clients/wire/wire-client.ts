import { z } from 'zod'
import type { ConnectionProtocol } from '../../../contract/connections/connections.schemas.ts'
import { noRequestSettings } from '../../../contract/connections/request-settings.schemas.ts'
import { sampleNotice } from '../../../contract/runs/call-notes.ts'
import { endingOf } from '../../../contract/runs/endings.ts'
import { type SplitAnswer, splitReasoning, withReasoning } from '../../../lib/split-reasoning.ts'
import { MediaMissingError, type MediaSource, MediaTooLargeError, noMedia, NotResizedError } from '../media-source.ts'
import { countAnsweredFiles } from '../../../lib/answered-files.ts'
import { type BatchSettings, createBatchLane } from '../batches/batch-lane.ts'
import { batchProtocolOf } from '../batches/batch-protocol.ts'
import { type BytePool, createBytePool } from './byte-pool.ts'
import { cacheMarkOf } from './cache-marks.ts'
import { readMedia } from './media-lookup.ts'
import { mediaTypeFault, requestFault } from './sent-parts.ts'
import type { FailureBill, Reply, ReplyReader } from '../http/read-reply.ts'
import { keyHeaders } from '../http/key-headers.ts'
import { createJsonTransport, type JsonTransport, type TransportSettings } from '../http/json-transport.ts'
import { echoRequest, readEcho } from '../loglikelihood/echoed-logprobs.ts'
import type { CallNote, CallOutcome, Failure, ModelClient, ModelRequest } from '../model-client.ts'
import { withRefusals } from '../refused-parameters.ts'
import { servedModelNotes } from '../served-model.ts'
import { type EndpointOptions, fitBody, fitRequest } from './fit-request.ts'
import { mergeBodies, placeSettings } from './place-settings.ts'
import { mediaRuleOf, tokensOfFiles } from '../tokens/media-tokens.ts'
import { bearer, type WireAnswer, type WireProtocol } from './wire-protocol.ts'

type WireSettings = TransportSettings &
  EndpointOptions & {
    /** Where the bytes of media come from; absent: requests with media fail. */
    readonly media?: MediaSource
    /** Calls that name their item go through the provider's batches; absent: each by itself. */
    readonly batch?: BatchSettings
  }

/** A client for one protocol. Retries are up to the caller. */
export function createWireClient(settings: WireSettings, protocol: WireProtocol, name: ConnectionProtocol): ModelClient {
  const transport = createJsonTransport(settings, protocol.title, keyHeaders(protocol.headers(settings.apiKey), settings))
  const added = placeSettings(name, settings.requestSettings ?? noRequestSettings)
  const batches = settings.batch ? batchProtocolOf(name) : null
  const lane = settings.batch && batches ? createBatchLane(transport, batches, settings.batch) : null
  const pool = createBytePool()
  const rule = mediaRuleOf(name, settings.model)
  const facts = settings.media?.facts?.bind(settings.media)
  return {
    ...(rule &&
      facts && {
        fileTokens: ({ messages, maxImagePixels }) => tokensOfFiles(rule, messages, digests => facts(digests, maxImagePixels)),
      }),
    call: (request, { signal, item }) => {
      const ask: Ask =
        lane && item !== undefined
          ? (path, body, reader, encode) => lane.ask({ item, path, body: Body.parse(JSON.parse(encode(body).toString())) }, reader, signal)
          : (path, body, reader, encode) => transport.ask(path, body, reader, signal, encode)
      return callOver(transport, protocol, { ...settings, added, name, ask, pool }, request)
    },
    probe: ({ signal }) => transport.probe('', signal),
    close: async () => {
      await lane?.close()
      await transport.close()
    },
  }
}

/** Adds log-likelihoods to a client, through the completions endpoint beside its chat endpoint. */
export function withLoglikelihoods(client: ModelClient, settings: TransportSettings): ModelClient {
  const transport = createJsonTransport(settings, 'OpenAI completions', keyHeaders(bearer(settings.apiKey), settings))
  return {
    ...(client.reach ? { reach: client.reach } : {}),
    ...(client.fileTokens ? { fileTokens: client.fileTokens } : {}),
    call: (request, options) => client.call(request, options),
    probe: options => client.probe(options),
    loglikelihood: async (request, { signal }) => {
      const { path, body } = echoRequest(request, settings.model)
      const reply = await transport.ask(path, body, { json: value => readEcho(value, request) }, signal)
      return reply.ok ? { ok: true, ...reply.wire, ...reply.content, latencyMs: reply.latencyMs } : reply
    },
    close: async () => {
      await Promise.all([client.close(), transport.close()])
    },
  }
}

type Ask = (
  path: string,
  body: Readonly<Record<string, unknown>>,
  reader: ReplyReader<WireAnswer>,
  encode: (body: unknown) => Buffer,
) => Promise<Reply<WireAnswer>>

const Body = z.record(z.string(), z.unknown())

interface Called extends WireSettings {
  readonly added: Readonly<Record<string, unknown>>
  readonly name: ConnectionProtocol
  readonly ask: Ask
  readonly pool: BytePool
}

async function callOver(transport: JsonTransport, protocol: WireProtocol, settings: Called, given: ModelRequest): Promise<CallOutcome> {
  const fitted = fitRequest(given, settings.model, settings)
  const { messages } = fitted.request
  const fault = requestFault(settings.name, messages)
  if (fault !== null) return notSent(`${protocol.title} takes ${fault}. Choose another model, or other tasks.`)
  const media = await readMedia(fitted.request, settings.media ?? noMedia, settings.pool).catch(unreadMedia)
  if ('ok' in media) return media
  for (const mediaType of media.types) {
    const unread = mediaTypeFault(settings.name, mediaType)
    if (unread !== null) return notSent(`${protocol.title} takes ${unread}. Convert the file, or choose another model.`)
  }
  const wire = protocol.request(fitted.request, settings.model, media.lookup)
  const { path } = wire
  const mark = settings.requestSettings?.prompt_cache ? cacheMarkOf(settings.name, settings.model) : null
  const marked = (mark && protocol.markCache?.(wire.body, mark)) ?? wire.body
  const { responseFormat } = fitted.request
  const added = responseFormat
    ? placeSettings(settings.name, { ...(settings.requestSettings ?? noRequestSettings), response_format: responseFormat })
    : settings.added
  const body = mergeBodies(fitBody(marked, settings.parameters), added)
  const notes = [...fitted.notes, ...media.notes, ...wire.notes]
  let files = 0
  const read = (value: unknown) => {
    files = countAnsweredFiles(value)
    return protocol.read(value)
  }
  const events = protocol.events?.bind(protocol, value => {
    files += countAnsweredFiles(value)
  })
  const asked = await settings.ask(path, body, { json: read, billOf, ...(events ? { events } : {}) }, media.encode)
  const reply = condensed(asked, media.condense)
  // A body of a call that was broken off may still be on its way, and one that is kept as it was sent is read again.
  if (asked.ok && reply.ok && reply.wire.request !== asked.wire.request) media.release()
  if (!reply.ok) return withRefusals(withNotes(reply, notes), () => body)
  const { content, latencyMs } = reply
  if (endingOf(content.finishReason) === 'failed')
    return withNotes({ ...transport.brokenOff(reply, content.finishReason ?? ''), ...billOf(content) }, notes)
  if (lacksToolCalls(content))
    return withNotes({ ...transport.badReply(reply, 'ends with tool calls and has none that can be read'), ...billOf(content) }, notes)
  const { output, reasoning } = apart(content, given, transport)
  return withNotes({ ok: true, ...reply.wire, ...content, output, ...(reasoning === null ? {} : { reasoning }), latencyMs }, [
    ...notes,
    ...servedModelNotes(settings.model, content.servedModel),
    ...(files > 0 ? [sampleNotice('answer_holds_files')] : []),
    ...(reply.isDamaged && isReplaced(content) ? [sampleNotice('text_damaged')] : []),
    ...(endingOf(content.finishReason) === null && !content.refused ? [unsaidEnding] : []),
  ])
}

/** What the model asked for was lost on the way, so that there is nothing to grade. */
function lacksToolCalls({ finishReason, toolCalls, output }: WireAnswer): boolean {
  return endingOf(finishReason) === 'tool_calls' && toolCalls === undefined && output.trim() === ''
}

const unsaidEnding: CallNote = {
  code: 'unknown_ending',
  message: 'The provider did not say why the answer ended, so it may be cut off. It was graded as it is.',
}

/** A model may write U+FFFD itself; in a damaged reply it replaces what was lost. */
function isReplaced({ output, reasoning = '', toolCalls = [] }: WireAnswer): boolean {
  return [output, reasoning, ...toolCalls.map(call => call.arguments)].some(text => text.includes('\ufffd'))
}

function notSent(message: string): Failure {
  return { ok: false, code: 'bad_request', message, request: null, response: null, httpStatus: null, retryAfterMs: null, latencyMs: 0 }
}

function unreadMedia(error: unknown): Failure {
  if (error instanceof MediaMissingError || error instanceof NotResizedError || error instanceof MediaTooLargeError)
    return notSent(error.message)
  throw error
}

/** The reply with its request as transcripts keep it. */
function condensed(reply: Reply<WireAnswer>, condense: (request: Uint8Array) => Uint8Array): Reply<WireAnswer> {
  const kept = (request: Uint8Array | null) => request && condense(request)
  return reply.ok ? { ...reply, wire: { ...reply.wire, request: kept(reply.wire.request) } } : { ...reply, request: kept(reply.request) }
}

/** What the provider says of the part that it made before it broke off. */
function billOf({ usage, statedPicoUsd, output, reasoning, toolCalls }: WireAnswer): FailureBill {
  if (statedPicoUsd !== undefined) return { usage, statedPicoUsd }
  return usage !== null || output !== '' || reasoning !== undefined || toolCalls !== undefined ? { usage } : {}
}

/** The answer and what the model thought before it, by the provider's own field or out of the text. */
function apart({ output, reasoning }: WireAnswer, request: ModelRequest, { scrubber }: JsonTransport): SplitAnswer {
  const text = scrubber.text(output)
  const split = request.reasoning === 'as_text' ? { output: text, reasoning: null } : splitReasoning(text)
  return withReasoning(split, reasoning === undefined ? null : scrubber.text(reasoning))
}

function withNotes(outcome: CallOutcome, notes: readonly CallNote[]): CallOutcome {
  return notes.length === 0 ? outcome : { ...outcome, notes }
}
