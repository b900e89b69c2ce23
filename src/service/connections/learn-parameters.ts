import { setTimeout as delay } from 'node:timers/promises'
import type { ConnectionProtocol } from '../../contract/connections/connections.schemas.ts'
import { type EndpointParameters, type RequestSettings, unknownParameters } from '../../contract/connections/request-settings.schemas.ts'
import { isThrottled } from '../../engine/clients/is-throttled.ts'
import type { CallOutcome, Failure, ModelClient, ModelRequest } from '../../engine/clients/model-client.ts'
import { type LimitField, limitFieldOf } from '../../engine/clients/openai/request-body.ts'
import { hasSystemRole, probingSeed, takesSeed } from '../../engine/clients/wire/place-settings.ts'

/** What the connection wants of its endpoint. */
export interface Wanted {
  readonly protocol: ConnectionProtocol
  readonly baseUrl: string
  readonly streaming: boolean
  readonly requestSettings: RequestSettings
}

/** Opens a client that sends what is given. */
export type OpenWith = (settings: RequestSettings, parameters: EndpointParameters) => Promise<ModelClient>

export interface Learned {
  readonly outcome: CallOutcome
  readonly parameters: EndpointParameters
}

type Name = keyof EndpointParameters

/** Tokens of an answer: a model that reasons at length for one word needs a few hundred. */
const room = 512
/** For a model with a context that does not hold that many. */
const littleRoom = 64

/** Milliseconds between tries of an endpoint that takes no calls at the moment; one that states a longer wait is not waited for. */
const busyPausesMs = [500, 1000, 2000]
const longestHintMs = 5000

/** Messages in which a provider says that the model ran out of tokens before its answer: it works. */
const ranOut = /could not finish the message because max_tokens|max_tokens or model output limit was reached/i

/**
 * One question with everything that a run may send. What the endpoint refuses by name is left out and the question sent again; where it
 * names nothing, the question is sent bare and then with one thing at a time.
 */
export async function learnParameters(open: OpenWith, wanted: Wanted, signal: AbortSignal): Promise<Learned> {
  const ask = async (parameters: EndpointParameters, maxOutputTokens: number): Promise<CallOutcome> => {
    const seeds = parameters.seed === true && wanted.requestSettings.seed === null
    const client = await open(seeds ? { ...wanted.requestSettings, seed: probingSeed } : wanted.requestSettings, parameters)
    try {
      for (const pauseMs of busyPausesMs) {
        const outcome = await client.call(questionFor(parameters, maxOutputTokens), { signal })
        const isSoon = !outcome.ok && isThrottled(outcome) && (outcome.retryAfterMs ?? 0) <= longestHintMs
        if (!isSoon) return alive(outcome)
        await delay(Math.max(pauseMs, outcome.retryAfterMs ?? 0), undefined, { signal }).catch(() => undefined)
      }
      return alive(await client.call(questionFor(parameters, maxOutputTokens), { signal }))
    } finally {
      await client.close()
    }
  }
  let parameters = everythingOf(wanted)
  const leftOut = new Set<Name>()
  let outcome = await ask(parameters, room)
  const first = outcome
  for (;;) {
    if (outcome.ok || !isRefusal(outcome)) return { outcome, parameters }
    const name = refusedName(outcome, parameters, leftOut, wanted)
    if (name === null) break
    leftOut.add(name)
    parameters =
      name === 'output_limit' ? { ...parameters, output_limit: otherLimit(parameters.output_limit) } : { ...parameters, [name]: false }
    outcome = await ask(parameters, room)
  }
  return (await oneByOne(ask, wanted)) ?? { outcome: first, parameters: unknownParameters }
}

/** Null where the endpoint refuses even the bare question. */
async function oneByOne(
  ask: (parameters: EndpointParameters, maxOutputTokens: number) => Promise<CallOutcome>,
  wanted: Wanted,
): Promise<Learned | null> {
  const everything = everythingOf(wanted)
  const off = (value: boolean | null) => (value === null ? null : false)
  const bare: EndpointParameters = {
    ...everything,
    system_role: off(everything.system_role),
    temperature: off(everything.temperature),
    seed: off(everything.seed),
    streaming: off(everything.streaming),
    stream_usage: off(everything.stream_usage),
  }
  const limits = everything.output_limit === null ? [null] : [everything.output_limit, otherLimit(everything.output_limit)]
  for (const output_limit of limits)
    for (const tokens of [room, littleRoom]) {
      let parameters: EndpointParameters = { ...bare, output_limit }
      const outcome = await ask(parameters, tokens)
      if (!outcome.ok && !isRefusal(outcome)) return { outcome, parameters }
      if (!outcome.ok) continue
      for (const name of ['system_role', 'temperature', 'seed', 'streaming', 'stream_usage'] as const) {
        if (parameters[name] !== false) continue
        const more = { ...parameters, [name]: true }
        // Without a stream there is nothing to count in it.
        if (name === 'stream_usage' && parameters.streaming === false) continue
        if ((await ask(more, tokens)).ok) parameters = more
      }
      return { outcome, parameters }
    }
  return null
}

/** What is tried first: all that the protocol has a place for. */
function everythingOf({ protocol, baseUrl, streaming }: Wanted): EndpointParameters {
  const isChat = protocol === 'openai_chat' || protocol === 'vllm'
  const streams = isChat && streaming ? true : null
  return {
    output_limit: isChat ? limitFieldOf(baseUrl) : null,
    system_role: hasSystemRole(protocol) ? true : null,
    temperature: true,
    seed: takesSeed(protocol) ? true : null,
    streaming: streams,
    stream_usage: streams,
  }
}

function questionFor({ temperature, system_role }: EndpointParameters, maxOutputTokens: number): ModelRequest {
  const user = { role: 'user', content: 'Reply with the single word: ready' } as const
  return {
    messages: system_role === true ? [{ role: 'system', content: 'Follow the instruction exactly.' }, user] : [user],
    temperature: temperature === true ? 0 : null,
    maxOutputTokens,
    stop: [],
  }
}

function otherLimit(field: LimitField | null): LimitField {
  return field === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens'
}

/** Of the request as it was, not of the key, the model or the account. */
function isRefusal({ code, httpStatus, message }: Failure): boolean {
  if (code === 'bad_request') return httpStatus === 400 || httpStatus === 422
  // OpenRouter finds no provider for the parameters; templates of vLLM and llama.cpp fail on a role.
  return httpStatus === 404 ? /\bparameters\b/i.test(message) : httpStatus === 500 && /\bsystem role\b|roles must alternate/i.test(message)
}

/** An endpoint whose model ran out of tokens has been reached and does what it can. */
function alive(outcome: CallOutcome): CallOutcome {
  if (outcome.ok || outcome.httpStatus !== 400 || !ranOut.test(outcome.message)) return outcome
  const { request, response, httpStatus, latencyMs } = outcome
  return { ok: true, output: '', finishReason: 'length', refused: false, usage: null, request, response, httpStatus, latencyMs }
}

/** How the words of a refusal name what was sent, in the order in which they are looked for. */
const namings: readonly (readonly [Exclude<Name, 'output_limit'>, RegExp])[] = [
  ['stream_usage', /stream_options/i],
  ['temperature', /temperature/i],
  ['seed', /\bseed\b/i],
  ['system_role', /system (?:role|prompt|message)|['"`]system['"`]|roles must alternate/i],
  ['streaming', /\bstream(?:ing)?\b/i],
]

/** Null where nothing is named that was sent and can be left out. */
function refusedName(
  { message, response }: Failure,
  sent: EndpointParameters,
  leftOut: ReadonlySet<Name>,
  { requestSettings }: Wanted,
): Name | null {
  const said = response === null ? message : Buffer.from(response).subarray(0, 20_000).toString()
  const { output_limit: limit } = sent
  // A limit that is too high has the right name.
  const isNamed = limit !== null && !leftOut.has('output_limit') && new RegExp(`\\b${limit}\\b`).test(said)
  if (isNamed && !/\b(?:too (?:large|high|big)|at most|maximum)\b/i.test(said)) return 'output_limit'
  // A seed that a person set is part of what is measured: it is not left out behind their back.
  const mayLeaveOut = (name: Name) => sent[name] === true && !(name === 'seed' && requestSettings.seed !== null)
  return namings.find(([name, words]) => mayLeaveOut(name) && words.test(said))?.[0] ?? null
}
