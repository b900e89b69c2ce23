import { describe, expect, test } from 'vitest'
import { answerIn, failureIn, outcomeOf } from './client-under-test.ts'
import { completion, reply } from './scripted-replies.ts'

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
    ['Spring', { status: 400, error: 'Bad Request', message: 'Top-p is odd.' }],
    ['OAuth', { error: 'invalid_request', error_description: 'Top-p is odd.' }],
    ['Rails', { errors: { top_p: ['Top-p is odd.'] } }],
    ['an API gateway', { fault: { faultstring: 'Top-p is odd.', detail: { errorcode: 'x' } } }],
    ['Azure, of an inner error', { error: { code: 'x', message: '', innererror: { message: 'Top-p is odd.' } } }],
    ['a wrapped result', { success: false, result: { message: 'Top-p is odd.' } }],
    ['OpenRouter, of an earlier provider', { error: { message: 'Failed', metadata: { previous_errors: [{ message: 'Top-p is odd.' }] } } }],
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

  test.each([
    ['text without a type', 'Top-p is odd.', ''],
    ['text that is said to be JSON', 'Top-p is odd.', 'application/json'],
    ['a JSON text', '"Top-p is odd."', 'application/json'],
    ['an event', 'data: {"error":{"message":"Top-p is odd."}}\n\n', 'text/event-stream'],
    ['XML', '<Error><Code>x</Code><Message>Top-p is odd.</Message></Error>', 'application/xml'],
  ])('of %s reaches the person', async (_, body, type) => {
    const failure = failureIn(await outcomeOf(reply(400, body, { 'content-type': type })))
    expect(failure).toMatchObject({ code: 'bad_request', message: expect.stringContaining('Top-p is odd.') })
  })

  test.each([
    ['with a status', { status: 'error', message: 'Boom' }],
    ['without success', { success: false, message: 'Boom', data: null }],
    ['of FastAPI', { detail: 'Boom' }],
    ['of a gateway', { code: 500, msg: 'Boom' }],
    ['of Tencent', { Response: { Error: { Code: 'x', Message: 'Boom' } } }],
  ])('%s in place of an answer reaches the person', async (_, body) => {
    expect(await said(200, body)).toMatchObject({ code: 'provider_failure', message: expect.stringContaining('Boom') })
  })

  test.each([
    ['Ollama', { model: 'm', message: { role: 'assistant', content: 'The answer is 4.' }, done: true }],
    ['text-generation-inference', { generated_text: 'The answer is 4.' }],
  ])('is no answer of another protocol: %s', async (_, body) => {
    const failure = await said(200, body)
    expect(failure.code).toBe('bad_response')
    expect(failure.message).not.toContain('The answer')
  })

  test('that is empty beside an answer is none', async () => {
    expect(answerIn(await outcomeOf(reply(200, completion({ error: {} })))).output).toBe('4')
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
    [400, { error: { type: 'invalid_request_error', message: 'This organization has been disabled.' } }],
    [200, { base_resp: { status_code: 1004, status_msg: 'login fail: Please carry the API secret key' } }],
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
    [498, { message: 'input blocked by our usage guidelines' }],
    [400, { error: { code: 'content_filter', message: 'The response was filtered due to Azure’s content management policy.' } }],
  ])('of the prompt by a filter is one under status %i', async (status, body) => {
    expect((await said(status, body)).code).toBe('content_filtered')
  })

  test.each([
    [400, { error: { message: 'foo/bar is not a valid model ID', code: 400 } }],
    [400, { error: { message: 'The model `x` has been decommissioned.', code: 'model_decommissioned' } }],
    [400, { message: 'Invalid model: x', type: 'invalid_model', code: '1500' }],
    [405, { detail: 'Method Not Allowed' }],
  ])('of the model or address is one under status %i', async (status, body) => {
    expect((await said(status, body)).code).toBe('model_not_found')
  })

  test.each([
    [400, { error: { message: 'Unsupported value: temperature.' } }, 'bad_request'],
    [400, { error: { message: 'The token limit is invalid.' } }, 'bad_request'],
    [500, { error: { message: 'Internal error' } }, 'provider_failure'],
  ])('is not what status %i says of other things', async (status, body, code) => {
    expect((await said(status, body)).code).toBe(code)
  })
})
