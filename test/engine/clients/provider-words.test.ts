import { describe, expect, test } from 'vitest'
import { failureIn, outcomeOf } from './client-under-test.ts'
import { reply } from './scripted-replies.ts'

const said = async (status: number, body: unknown) => failureIn(await outcomeOf(reply(status, JSON.stringify(body))))

describe('the sentence of an error', () => {
  test.each([
    ['OpenAI', { error: { message: 'Top-p is odd.', type: 'invalid_request_error' } }],
    ['Ollama', { error: 'Top-p is odd.' }],
    ['vLLM', { object: 'error', message: 'Top-p is odd.', type: 'BadRequestError', code: 400 }],
    ['Gemini’s OpenAI form', [{ error: { code: 400, message: 'Top-p is odd.', status: 'INVALID_ARGUMENT' } }]],
    ['FastAPI', { detail: 'Top-p is odd.' }],
    ['FastAPI, of a field', { detail: [{ type: 'extra', loc: ['body', 'top_p'], msg: 'Top-p is odd.' }] }],
    ['Mistral', { object: 'error', message: { detail: [{ msg: 'Top-p is odd.', loc: ['body', 'top_p'] }] } }],
    ['Cohere', { message: 'Top-p is odd.' }],
    ['xAI', { code: 'Client specified an invalid argument', error: 'Top-p is odd.' }],
    ['a list of errors', { errors: [{ code: 10, message: 'Top-p is odd.' }] }],
    ['a list of texts', { errors: ['Top-p is odd.'] }],
    ['Bedrock', { Message: 'Top-p is odd.', __type: 'ValidationException' }],
    ['a gateway', { code: 40_001, msg: 'Top-p is odd.' }],
    ['a gateway that quotes JSON', { error: { message: '{"error":{"message":"Top-p is odd."}}' } }],
    [
      'OpenRouter',
      {
        error: {
          code: 400,
          message: 'Provider returned error',
          metadata: { raw: '{"error":{"message":"Top-p is odd."}}', provider_name: 'P' },
        },
      },
    ],
  ])('%s reaches the person', async (_, body) => {
    const failure = await said(400, body)
    expect(failure.code).toBe('bad_request')
    expect(failure.message).toContain('Top-p is odd.')
  })

  test('of a choice in a success reaches the person', async () => {
    const choices = [{ index: 0, finish_reason: 'error', error: { code: 502, message: 'Upstream idle timeout' }, message: { content: '' } }]
    expect(await said(200, { choices })).toMatchObject({
      code: 'provider_failure',
      message: expect.stringContaining('Upstream idle timeout'),
    })
  })

  test('of MiniMax in a success reaches the person', async () => {
    const failure = await said(200, { base_resp: { status_code: 1008, status_msg: 'insufficient balance' } })
    expect(failure).toMatchObject({ code: 'quota_exhausted', message: expect.stringContaining('insufficient balance') })
  })

  test('that nests or repeats without end is bounded', async () => {
    let body: object = { message: 'deep' }
    for (let level = 0; level < 50; level++) body = { error: body }
    expect((await said(400, body)).code).toBe('bad_request')
    expect((await said(400, { errors: Array.from({ length: 5000 }, (_, i) => `wrong ${i}`) })).message.length).toBeLessThan(600)
  })
})

describe('a refusal for good', () => {
  test.each([
    [400, [{ error: { code: 400, message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' } }]],
    [400, [{ error: { code: 400, message: 'API key expired. Please renew the API key.', status: 'INVALID_ARGUMENT' } }]],
    [400, { code: 'Client specified an invalid argument', error: 'Incorrect API key provided: xa***.' }],
    [500, { error: { message: 'Authentication failed', type: 'authentication_error' } }],
    [200, { error: { message: 'The access token has expired.' } }],
  ])('of the key is one under status %i', async (status, body) => {
    expect((await said(status, body)).code).toBe('credential_refused')
  })

  test.each([
    [400, { error: { type: 'invalid_request_error', message: 'Your credit balance is too low to access the Anthropic API.' } }],
    [403, { error: { type: 'exceeded_current_quota_error', message: 'Your account is suspended, please check your plan.' } }],
    [500, { error: { message: 'Insufficient balance' } }],
    [200, { error: { message: 'Insufficient credits. Add more.', code: 402 } }],
  ])('of an empty account is one under status %i', async (status, body) => {
    expect((await said(status, body)).code).toBe('quota_exhausted')
  })

  test.each([
    [400, { error: { code: 'DataInspectionFailed', message: 'Input data may contain inappropriate content.' } }],
    [400, { error: { message: 'Content Exists Risk', type: 'invalid_request_error' } }],
    [403, { error: { code: 403, message: 'Your chosen model requires moderation and your input was flagged' } }],
    [400, { error: { code: 'content_filter', message: 'The response was filtered due to Azure’s content management policy.' } }],
  ])('of the prompt by a filter is one under status %i', async (status, body) => {
    expect((await said(status, body)).code).toBe('content_filtered')
  })

  test.each([
    [400, { error: { message: 'Unsupported value: temperature.' } }, 'bad_request'],
    [400, { error: { message: 'The token limit is invalid.' } }, 'bad_request'],
    [500, { error: { message: 'Internal error' } }, 'provider_failure'],
  ])('is not what status %i says of other things', async (status, body, code) => {
    expect((await said(status, body)).code).toBe(code)
  })
})
