import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { CallOutcome } from '../../../src/engine/clients/model-client.ts'
import type { ModelSettings } from '../../../src/engine/clients/open-model-client.ts'
import { httpHead, httpResponse, type WireScript } from '../../journeys/model-server/fault-server.ts'
import { listen } from '../../journeys/model-server/listen.ts'
import { ask, clientFor, faultServer, outcomeOf } from './client-under-test.ts'
import { completion, delta, done, event, events, finish, fourItIs, httpChunk, reply, usage } from './scripted-replies.ts'
import { selfSigned } from './self-signed-certificate.ts'

const faultsUrl = new URL('../../../../shared/badinput/own/provider_faults.json', import.meta.url)
const isThere = existsSync(faultsUrl)

interface ProviderFault {
  readonly id: string
  readonly script: readonly string[]
  readonly expect: string
}

/** What the client must make of each case: part of the outcome. */
const expected: Readonly<Record<string, object>> = {
  '429-retry-after-seconds': { code: 'rate_limited', retryAfterMs: 2_000 },
  '429-retry-after-date': { code: 'rate_limited', retryAfterMs: 3_000 },
  '429-retry-after-huge': { code: 'rate_limited', retryAfterMs: 86_400_000, message: expect.stringContaining('a pause of 1 d') },
  '429-retry-after-garbage': { code: 'rate_limited', retryAfterMs: null },
  '429-insufficient-quota': { code: 'quota_exhausted' },
  '500': { code: 'provider_failure' },
  '502': { code: 'provider_failure' },
  '503': { code: 'provider_failure' },
  '504': { code: 'provider_failure' },
  '520': { code: 'provider_failure' },
  '529': { code: 'provider_failure' },
  '400': { code: 'bad_request' },
  '401': { code: 'credential_refused' },
  '403': { code: 'credential_refused' },
  '404': { code: 'model_not_found' },
  '413': { code: 'bad_request' },
  '422': { code: 'bad_request' },
  '408': { code: 'timeout' },
  '204': { code: 'bad_response' },
  '301-other-host': { code: 'redirect_refused' },
  '200-html': { code: 'bad_response' },
  '200-empty': { code: 'bad_response' },
  '200-truncated-json': { code: 'bad_response' },
  '200-content-length-short': { code: 'bad_response' },
  '200-extra-json': { code: 'bad_response' },
  '200-null-content': { ok: true, output: '' },
  '200-no-choices': { code: 'bad_response' },
  '200-refusal': { ok: true, output: 'no', refused: true },
  '200-length': { ok: true, finishReason: 'length' },
  '200-content-filter': { ok: true, finishReason: 'content_filter' },
  '200-error-body': { code: 'rate_limited', message: expect.stringContaining('overloaded') },
  '200-wrong-types': { ok: true, usage: null },
  '200-no-usage': { ok: true, usage: null },
  '200-50MB': { code: 'response_too_large' },
  '200-gzip-bomb': { code: 'response_too_large' },
  '200-invalid-utf8': { ok: true, output: '\ufffd\ufffd' },
  '200-lone-surrogate': { ok: true, output: '\ufffd' },
  '200-deep-json': { code: 'bad_response' },
  'connect-refused': { code: 'unreachable' },
  'dns-fail': { code: 'unreachable' },
  'tls-expired': { code: 'certificate_refused', message: expect.stringContaining('Assay never skips this check') },
  'rst-before-headers': { code: 'unreachable' },
  'rst-mid-body': { code: 'bad_response', response: Buffer.from('half') },
  'half-close': { code: 'unreachable' },
  'hang-after-accept': { code: 'timeout' },
  'hang-after-headers': { code: 'timeout' },
  'slowloris-body': { code: 'timeout' },
  'slow-then-ok': { ok: true },
  'late-success': { code: 'timeout' },
  'keepalive-reuse-close': { ok: true },
  'sse-ok': { ok: true, output: '4 it is' },
  'sse-crlf': { ok: true, output: '4 it is' },
  'sse-split-utf8': { ok: true, output: '🦆' },
  'sse-1-byte-chunks': { ok: true, output: '🦆' },
  'sse-comment-keepalive': { code: 'timeout' },
  'sse-no-done': { code: 'bad_response' },
  'sse-error-event': { code: 'provider_failure' },
  'sse-garbage-json': { code: 'bad_response' },
  'sse-10MB-line': { code: 'response_too_large' },
  'sse-endless': { code: 'response_too_large' },
  'sse-dup-done': { ok: true, output: '4 it is' },
  'sse-usage-last': { ok: true, usage: { inputTokens: 5, outputTokens: 1 } },
  'sse-tool-fragments': { ok: true, finishReason: 'tool_calls', toolCalls: [{ id: 'a', name: 'add', arguments: '{"a":"\\n"}' }] },
  'sse-mixed-index': { ok: true, output: '4' },
}

/** Cases that are not about one call, or cannot be made on every machine. */
const elsewhere: Readonly<Record<string, string>> = {
  'connect-timeout': 'needs a network that drops packets',
  'clock-jump-forward': 'is about the scheduler’s leases',
  'clock-jump-back': 'is about the order of records',
  'suspend-resume': 'is about the scheduler’s leases',
  'same-request-twice': 'is about the service’s own API',
  'key-reuse-other-body': 'is about the service’s own API',
  'key-in-flight': 'is about the service’s own API',
}

const short = { attemptTimeoutMs: 200 }
const streaming = { streaming: true }
const duck = Buffer.from(event(delta('🦆')) + event(finish()) + done)
const now = () => Date.parse('2026-11-20T09:30:00Z')
const declared = httpHead(200, { 'content-length': '500' })

/** Cases whose script is told in words, put into steps. */
const inSteps: Readonly<Record<string, readonly [WireScript, Partial<ModelSettings>?]>> = {
  '429-retry-after-date': [reply(429, '', { 'retry-after': new Date(now() + 3_000).toUTCString() }), { now }],
  '200-length': [reply(200, completion({}, {}, 'length'))],
  '200-content-filter': [reply(200, completion({}, {}, 'content_filter'))],
  '200-no-usage': [reply(200, completion({ usage: undefined }))],
  '200-50MB': [[{ send: httpHead(200, { 'content-length': '50000000' }) }, { repeat: 'A'.repeat(50_000), everyMs: 0 }]],
  '200-gzip-bomb': [reply(200, gzipSync(Buffer.alloc(50_000_000, 'A')), { 'content-encoding': 'gzip' })],
  '200-invalid-utf8': [reply(200, Buffer.from(completion({}, { content: '\u00ff\u00fe' }), 'latin1'))],
  '200-lone-surrogate': [reply(200, completion({}, { content: '\ud800' }))],
  '200-deep-json': [reply(200, '['.repeat(100_000) + ']'.repeat(100_000))],
  'rst-before-headers': [['reset']],
  'rst-mid-body': [[{ send: declared }, { send: 'half' }, { waitMs: 50 }, 'reset']],
  'half-close': [['fin']],
  'hang-after-accept': [[], short],
  'hang-after-headers': [[{ send: declared }], { idleTimeoutMs: 100 }],
  'slowloris-body': [[{ send: declared }, { repeat: ' ', everyMs: 20 }], { ...short, idleTimeoutMs: 5_000 }],
  'slow-then-ok': [[{ waitMs: 100 }, ...reply(200, completion())]],
  'late-success': [[{ waitMs: 10_000 }, ...reply(200, completion())], short],
  'sse-ok': [events([...fourItIs, done]), streaming],
  'sse-crlf': [events([...fourItIs, done].map(text => text.replaceAll('\n', '\r\n'))), streaming],
  'sse-split-utf8': [events([duck.subarray(0, duck.indexOf('🦆') + 2), duck.subarray(duck.indexOf('🦆') + 2)]), streaming],
  'sse-1-byte-chunks': [events([...duck].map(byte => Uint8Array.of(byte))), streaming],
  'sse-comment-keepalive': [
    [...events([], []), { repeat: httpChunk(': ping\n\n'), everyMs: 20 }],
    { ...short, ...streaming, idleTimeoutMs: 5_000 },
  ],
  'sse-no-done': [events([event(delta('4'))], ['fin']), streaming],
  'sse-error-event': [
    events([...Array.from({ length: 10 }, () => event(delta('x'))), 'event: error\n', event({ error: { message: 'x' } })]),
    streaming,
  ],
  'sse-garbage-json': [events(['data: {oops\n\n']), streaming],
  'sse-10MB-line': [events(['data: ', 'a'.repeat(10_000_000)]), streaming],
  'sse-endless': [
    [...events([], []), { repeat: httpChunk(event(delta('word '.repeat(1_000)))), everyMs: 0 }],
    { ...streaming, maxResponseBytes: 1_000_000 },
  ],
  'sse-dup-done': [events([...fourItIs, done, done, event(delta('wrong'))]), streaming],
  'sse-usage-last': [events([...fourItIs, event({ choices: [], usage }), done]), streaming],
  'sse-tool-fragments': [
    events([
      event({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: 'a', function: { name: 'add', arguments: '{"a":"\\' } }] } }] }),
      event({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: 'n"}' } }] } }] }),
      event(finish('tool_calls')),
      done,
    ]),
    streaming,
  ],
  'sse-mixed-index': [events([event(delta('no', 1)), event(delta('4')), event(delta('no', 2)), event(finish()), done]), streaming],
}

/** Cases that need more than one exchange with a server of bytes. */
const byHand: Readonly<Record<string, () => Promise<readonly CallOutcome[]>>> = {
  '200-wrong-types': () =>
    Promise.all(
      ['5', -5, 'NaN', 1e30].map(count => outcomeOf(reply(200, completion({ usage: { prompt_tokens: count, completion_tokens: 1 } })))),
    ),
  'connect-refused': async () => {
    const server = await faultServer([])
    await server.close()
    return [await ask(clientFor(server.baseUrl))]
  },
  'dns-fail': () =>
    Promise.all(
      ['ENOTFOUND', 'EAI_AGAIN'].map(code =>
        ask(
          clientFor('http://models.example/v1', {
            lookup: (_host, _options, callback) => callback(Object.assign(new Error(), { code }), ''),
          }),
        ),
      ),
    ),
  'tls-expired': async () => {
    const server = await listen(createServer(selfSigned), 0)
    onTestFinished(() => server.close())
    return [await ask(clientFor(server.baseUrl.replace('http:', 'https:')))]
  },
  'keepalive-reuse-close': async () => {
    // A request that was already read when the connection closed is the scheduler's to repeat: see openai-chat.faults.test.ts.
    const server = await faultServer(request => [...reply(200, completion()), ...(request === 0 ? ['fin' as const] : [])])
    const client = clientFor(server.baseUrl, { connections: 1 })
    return [await ask(client), await ask(client)]
  },
}

/** Plays the steps of the file where they are steps: `status`, `header`, `json`, `body`, `end`, `fin`. */
function interpret(steps: readonly string[]): WireScript {
  const headers: Record<string, string> = {}
  let status = 200
  let body = ''
  for (const step of steps) {
    const [verb = '', ...rest] = step.split(' ')
    const value = rest.join(' ')
    if (verb === 'status') status = Number(value)
    else if (verb === 'header') headers[value.slice(0, value.indexOf(':')).toLowerCase()] = value.slice(value.indexOf(':') + 1).trim()
    else if (verb === 'json' || verb === 'body') body = value
    else if (verb !== 'end' && verb !== 'fin') throw new Error(`Unknown step “${step}”.`)
  }
  if (!steps.includes('fin')) return [{ send: status === 204 ? httpHead(204, headers) : httpResponse(status, headers, body) }]
  return [{ send: httpHead(status, { ...headers, connection: 'close' }) }, { send: body }, 'fin']
}

async function outcomesOf({ id, script }: ProviderFault): Promise<readonly CallOutcome[]> {
  const play = byHand[id]
  if (play) return play()
  const [steps, settings] = inSteps[id] ?? [interpret(script)]
  return [await outcomeOf(steps, settings)]
}

describe.skipIf(!isThere)('the shared list of provider faults (skipped where the shared folder is absent)', () => {
  const faults = isThere ? (JSON.parse(readFileSync(faultsUrl, 'utf8')) as ProviderFault[]) : []
  const covered = faults.filter(({ id }) => id in expected)

  test('64 of 71 cases are played, the others have a reason not to be', () => {
    expect(faults.length).toBe(71)
    expect(covered.length).toBe(64)
    expect(faults.filter(({ id }) => !(id in expected)).map(({ id }) => id)).toEqual(expect.arrayContaining(Object.keys(elsewhere)))
    expect(Object.keys(elsewhere).length).toBe(7)
  })

  test.each(covered)('$id: $expect', async fault => {
    for (const outcome of await outcomesOf(fault)) {
      expect(outcome).toMatchObject(expected[fault.id] ?? {})
      expect(outcome.ok).toBe('ok' in (expected[fault.id] ?? {}))
    }
  })

  test.for(Object.entries(elsewhere))('%s %s', ([, reason], { skip }) => skip(reason))
})
