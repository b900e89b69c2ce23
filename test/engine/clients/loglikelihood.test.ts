import { describe, expect, test } from 'vitest'
import { readEcho } from '../../../src/engine/clients/loglikelihood/echoed-logprobs.ts'
import { callSettings, measuredTexts } from '../../../src/engine/execution/samples/sample-request.ts'
import { scoreChoices } from '../../../src/engine/clients/loglikelihood/score-choices.ts'
import { probeCapability } from '../../../src/engine/clients/probe-capability.ts'
import { openModelClient } from '../../../src/engine/clients/open-model-client.ts'
import { createAddressPolicy } from '../../../src/engine/clients/address-policy.ts'
import { onTestFinished } from 'vitest'
import { startCompletionsServer } from '../../journeys/model-server/completions-server.ts'

const signal = new AbortController().signal
const request = { context: 'Sky is', continuation: ' blue' }
const echo = (logprobs: object, text = 'Sky is blue.') => ({
  choices: [{ text, logprobs }],
  usage: { prompt_tokens: 3, completion_tokens: 1 },
})
const whole = { tokens: ['Sky', ' is', ' blue', '.'], token_logprobs: [null, -2, -0.5, -1], text_offset: [0, 3, 6, 11] }

const task = { id: 't', split: 'test', fields: {}, targets: ['A'], choices: null, metadata: {}, capabilities: [], dependsOn: [] } as const

describe('an echo', () => {
  test('is added up over the tokens of the continuation, not of the context and not of what was generated', () => {
    expect(readEcho(echo(whole), request)).toEqual({
      ok: true,
      content: { logprob: -0.5, isGreedy: null, usage: { inputTokens: 3, outputTokens: 1 } },
    })
    const split = { tokens: ['Sky is', ' bl', 'ue'], token_logprobs: [-9, -0.5, -0.25], text_offset: [0, 6, 9] }
    expect(readEcho(echo(split, 'Sky is blue'), request)).toMatchObject({ content: { logprob: -0.75 } })
  })

  test('tells whether the model would have said so by itself', () => {
    const tops = (blue: object) => ({ ...whole, top_logprobs: [null, { ' is': -2 }, blue, { '.': -1 }] })
    expect(readEcho(echo(tops({ ' blue': -0.5 })), request)).toMatchObject({ content: { isGreedy: true } })
    expect(readEcho(echo(tops({ ' red': -0.1 })), request)).toMatchObject({ content: { isGreedy: false } })
  })

  test('counts places as the endpoint does, by code points', () => {
    const smile = { tokens: ['😀', ' yes'], token_logprobs: [null, -1], text_offset: [0, 1] }
    expect(readEcho(echo(smile, '😀 yes'), { context: '😀', continuation: ' yes' })).toMatchObject({ content: { logprob: -1 } })
  })

  test.each([
    ['does not repeat the text', echo({ tokens: [' blue'], token_logprobs: [-1], text_offset: [0] }, ' blue')],
    ['another number', echo({ ...whole, token_logprobs: [null, -2] })],
    ['another number', echo({ ...whole, text_offset: [5, 6, 7, 8] })],
    ['lacks the log-probability', echo({ ...whole, token_logprobs: [null, -2, null, -1] })],
    ['lacks the log-probability', echo({ ...whole, token_logprobs: [null, -2, 3, -1] })],
    ['no log-probabilities', { choices: [{ text: 'Sky is blue', logprobs: null }] }],
  ])('that %s is refused', (problem, value) => {
    expect(readEcho(value, request)).toEqual({ ok: false, problem: expect.stringContaining(problem) })
  })
})

describe('a completions server', () => {
  async function clientOf(behavior: Parameters<typeof startCompletionsServer>[0]) {
    const server = await startCompletionsServer(behavior)
    const client = openModelClient('openai_completions', {
      baseUrl: server.baseUrl,
      model: 'base',
      apiKey: null,
      headers: {},
      streaming: false,
      attemptTimeoutMs: 60_000,
      connections: 2,
      addressPolicy: createAddressPolicy({ ownOrigin: null }),
    })
    onTestFinished(async () => {
      await client.close()
      await server.close()
    })
    return client
  }

  test('that echoes is proved', async () => {
    const probe = await probeCapability(await clientOf({ echo: 'honest' }), 'loglikelihood', { signal })
    expect(probe).toMatchObject({ verified: true, detail: expect.stringContaining('Paris') })
  })

  test.each([
    ['ignored', 'does not repeat'],
    ['constant', 'no language model'],
    ['refused', 'HTTP 400'],
  ] as const)('whose echo is %s is not', async (echoing, detail) => {
    const probe = await probeCapability(await clientOf({ echo: echoing }), 'loglikelihood', { signal })
    expect(probe).toMatchObject({ verified: false, detail: expect.stringContaining(detail) })
  })

  test('has every choice measured, each call kept', async () => {
    const outcome = await scoreChoices(
      await clientOf({ echo: 'honest' }),
      { prompt: 'The capital of France is', choices: [' xylophone', ' Paris', ' Rome'], isUnconditional: false },
      signal,
    )
    if (!outcome.ok) throw new Error(outcome.message)
    // Only scoreChoices wrote it.
    const { loglikelihoods, choices } = JSON.parse(outcome.output) as { loglikelihoods: number[]; choices: string[] }
    expect(choices[loglikelihoods.indexOf(Math.max(...loglikelihoods))]).toBe(' Paris')
    expect(outcome.earlier).toHaveLength(2)
    expect(outcome.usage?.inputTokens).toBeGreaterThan(10)
  })

  test.each([
    [undefined, [' yes', ' no']],
    ['', ['yes', 'no']],
    ['\n', ['\nyes', '\nno']],
  ])('separates choices from the prompt by %j as %j', (delimiter, texts) => {
    const loglikelihood = { most: 2, ...(delimiter !== undefined && { delimiter }) }
    expect(measuredTexts(callSettings({ loglikelihood }), { ...task, choices: ['yes', 'no'] })).toEqual(texts)
    expect(
      measuredTexts(callSettings({ loglikelihood: { ...loglikelihood, letters: true } }), { ...task, choices: ['yes', 'no'] })?.[1],
    ).toBe(`${delimiter ?? ' '}B`)
  })

  test('fails as a whole when a call fails', async () => {
    expect(
      await scoreChoices(await clientOf({ echo: 'refused' }), { prompt: 'x', choices: ['a', 'b'], isUnconditional: false }, signal),
    ).toMatchObject({
      ok: false,
      code: 'bad_request',
    })
  })
})
