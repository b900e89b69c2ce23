/** The part of a chat-completions request that the server looks at. */
export interface ChatRequest {
  readonly model: string
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly stream?: boolean
  readonly stream_options?: { readonly include_usage?: boolean }
}

/** Four characters a token: near enough for a replay, and fast. */
const tokens = (text: string): number => Math.ceil(text.length / 4)

const usageOf = (request: ChatRequest, answer: string) => {
  const prompt_tokens = request.messages.reduce((sum, { content }) => sum + tokens(content) + 3, 3)
  const completion_tokens = tokens(answer)
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
}

const frame = (object: string, { model }: ChatRequest) => ({ id: 'chatcmpl-replay', object, created: 0, model })

export function completion(request: ChatRequest, answer: string, withUsage: boolean): string {
  return JSON.stringify({
    ...frame('chat.completion', request),
    choices: [{ index: 0, message: { role: 'assistant', content: answer, refusal: null }, finish_reason: 'stop', logprobs: null }],
    ...(withUsage ? { usage: usageOf(request, answer) } : {}),
  })
}

/** The events of a streamed answer, a word each, as they go over the wire. */
export function completionEvents(request: ChatRequest, answer: string, withUsage: boolean): string[] {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...frame('chat.completion.chunk', request),
    choices: [{ index: 0, delta, finish_reason }],
  })
  const usage = withUsage && request.stream_options?.include_usage ? [{ ...chunk({}), choices: [], usage: usageOf(request, answer) }] : []
  const chunks = [
    chunk({ role: 'assistant', content: '' }),
    ...words(answer).map(content => chunk({ content })),
    chunk({}, 'stop'),
    ...usage,
  ]
  return [...chunks.map(value => `data: ${JSON.stringify(value)}\n\n`), 'data: [DONE]\n\n']
}

const words = (text: string): string[] => text.match(/\s*\S+\s*/g) ?? (text === '' ? [] : [text])
