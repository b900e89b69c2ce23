/** A reply in place of an answer. Without a status the connection is `reset`, or left without a word (`hang`). */
export type HttpFault =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string }
  | { readonly connection: 'reset' | 'hang' }

const error = (message: string, code: string | null = null) => JSON.stringify({ error: { message, type: 'scripted', code } })

const answer = (content: string | null, finish_reason: string, completion_tokens = 5) =>
  JSON.stringify({
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason }],
    usage: { prompt_tokens: completion_tokens, completion_tokens },
  })

/** Faults by the names that a script uses. */
export const httpFaults = {
  'bad-request': { status: 400, body: error('This request was not understood.') },
  'bad-key': { status: 401, body: error('Incorrect API key provided.', 'invalid_api_key') },
  'no-model': { status: 404, body: error('The model does not exist.', 'model_not_found') },
  throttled: { status: 429, headers: { 'retry-after': '1' }, body: error('Too many requests.', 'rate_limit_exceeded') },
  'throttled-for-minutes': { status: 429, headers: { 'retry-after': '600' }, body: error('Too many requests.', 'rate_limit_exceeded') },
  'throttled-for-a-day': { status: 429, headers: { 'retry-after': '86400' }, body: error('Too many requests.', 'rate_limit_exceeded') },
  'throttled-without-pause': { status: 429, body: error('Too many requests.', 'rate_limit_exceeded') },
  'no-quota': { status: 429, body: error('You exceeded your current quota.', 'insufficient_quota') },
  'server-error': { status: 500, body: error('Something broke.') },
  overloaded: { status: 529, body: error('Overloaded.') },
  'error-with-200': { status: 200, body: error('Overloaded.') },
  'html-with-200': { status: 200, headers: { 'content-type': 'text/html' }, body: '<html><body>Sign in to the network</body></html>' },
  'half-an-answer': { status: 200, body: '{"choices":[{"message":{"role":"assistant","content":"4' },
  'no-choices': { status: 200, body: '{"choices":[]}' },
  filtered: { status: 200, body: answer('', 'content_filter') },
  'filtered-half-way': { status: 200, body: answer('#### 13', 'content_filter') },
  'null-content': { status: 200, body: answer(null, 'stop') },
  'cut-off': { status: 200, body: answer('#### 13', 'length') },
  'absurd-usage': { status: 200, body: answer('#### 13', 'stop', Number.MAX_SAFE_INTEGER) },
  redirect: { status: 302, headers: { location: 'http://elsewhere.invalid/v1/chat/completions' }, body: '' },
  reset: { connection: 'reset' },
  hang: { connection: 'hang' },
} as const satisfies Record<string, HttpFault>

export type HttpFaultName = keyof typeof httpFaults
