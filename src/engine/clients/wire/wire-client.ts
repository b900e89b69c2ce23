import { type ConnectionProtocol, endingOf, noRequestSettings } from '../../../contract/index.ts'
import { type SplitAnswer, splitReasoning, withReasoning } from '../../../lib/split-reasoning.ts'
import { keyHeaders } from '../http/key-headers.ts'
import { createJsonTransport, type JsonTransport, type TransportSettings } from '../http/json-transport.ts'
import { echoRequest, readEcho } from '../loglikelihood/echoed-logprobs.ts'
import type { CallNote, CallOptions, CallOutcome, Failure, ModelClient, ModelRequest } from '../model-client.ts'
import { withRefusals } from '../refused-parameters.ts'
import { servedModelNotes } from '../served-model.ts'
import { type EndpointOptions, fitBody, fitRequest } from './fit-request.ts'
import { mergeBodies, placeSettings } from './place-settings.ts'
import { bearer, type WireAnswer, type WireProtocol } from './wire-protocol.ts'

type WireSettings = TransportSettings & EndpointOptions

/** A client for one protocol. Retries are up to the caller. */
export function createWireClient(settings: WireSettings, protocol: WireProtocol, name: ConnectionProtocol): ModelClient {
  const transport = createJsonTransport(settings, protocol.title, keyHeaders(protocol.headers(settings.apiKey), settings))
  const added = placeSettings(name, settings.requestSettings ?? noRequestSettings)
  return {
    call: (request, { signal }) => callOver(transport, protocol, { ...settings, added }, request, signal),
    probe: ({ signal }) => transport.probe('', signal),
    close: () => transport.close(),
  }
}

/** Adds log-likelihoods to a client, through the completions endpoint beside its chat endpoint. */
export function withLoglikelihoods(client: ModelClient, settings: TransportSettings): ModelClient {
  const transport = createJsonTransport(settings, 'OpenAI completions', keyHeaders(bearer(settings.apiKey), settings))
  return {
    ...(client.reach ? { reach: client.reach } : {}),
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

async function callOver(
  transport: JsonTransport,
  protocol: WireProtocol,
  settings: WireSettings & { readonly added: Readonly<Record<string, unknown>> },
  given: ModelRequest,
  signal: CallOptions['signal'],
): Promise<CallOutcome> {
  const fitted = fitRequest(given, settings.model, settings)
  const wire = protocol.request(fitted.request, settings.model)
  const { path } = wire
  const body = mergeBodies(fitBody(wire.body, settings.parameters), settings.added)
  const notes = [...fitted.notes, ...wire.notes]
  const reply = await transport.ask(path, body, { json: protocol.read, ...(protocol.events ? { events: protocol.events } : {}) }, signal)
  if (!reply.ok) return withRefusals(withNotes(reply, notes), () => body)
  const { content, latencyMs } = reply
  if (endingOf(content.finishReason) === 'failed')
    return withNotes({ ...transport.brokenOff(reply, content.finishReason ?? ''), ...billOf(content) }, notes)
  const { output, reasoning } = apart(content, given, transport)
  return withNotes({ ok: true, ...reply.wire, ...content, output, ...(reasoning === null ? {} : { reasoning }), latencyMs }, [
    ...notes,
    ...servedModelNotes(settings.model, content.servedModel),
  ])
}

/** What the provider says of the part that it made before it broke off. */
function billOf({ usage, statedPicoUsd }: WireAnswer): Pick<Failure, 'usage' | 'statedPicoUsd'> {
  return { usage, ...(statedPicoUsd === undefined ? {} : { statedPicoUsd }) }
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
