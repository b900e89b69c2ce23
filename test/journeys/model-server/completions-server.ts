import { createServer, type IncomingMessage } from 'node:http'
import { z } from 'zod'
import { listen, type RunningServer } from './listen.ts'

export interface CompletionsServerOptions {
  /**
   * What `echo` does: `honest` repeats the text with log-probabilities that prefer words which go together; `ignored` gives those of the
   * generated token only, as some servers do; `constant` repeats the text with the same number everywhere; `refused` answers 400.
   */
  readonly echo: 'honest' | 'ignored' | 'constant' | 'refused'
  /** What goes on after a text: the likely word. */
  readonly likely?: (context: string) => string
}

const Body = z.object({ prompt: z.string(), echo: z.boolean().default(false), model: z.string() })

/** A base model that knows one thing after each text, behind the completions protocol. Listens on this machine only. */
export async function startCompletionsServer({ echo, likely = () => 'Paris' }: CompletionsServerOptions): Promise<RunningServer> {
  const server = createServer((request, response) => {
    if (request.method !== 'POST') {
      request.resume()
      response.writeHead(404).end()
      return
    }
    void bodyOf(request).then(text => {
      const body = Body.parse(JSON.parse(text))
      const refused = body.echo && echo === 'refused'
      response.writeHead(refused ? 400 : 200, { 'content-type': 'application/json' })
      response.end(refused ? '{"error":{"message":"echo is not supported"}}' : JSON.stringify(complete(body, echo, likely)))
    })
  })
  const running = await listen(server, 0)
  return { ...running, baseUrl: `${running.baseUrl}/v1` }
}

function complete(
  { prompt, echo: wanted }: z.infer<typeof Body>,
  echo: CompletionsServerOptions['echo'],
  likely: (context: string) => string,
) {
  const next = ` ${likely(prompt)}`
  const repeats = wanted && echo !== 'ignored'
  const tokens = [...(repeats ? (prompt.match(/\s*\S+|\s+$/g) ?? []) : []), next]
  const starts = tokens.map((_, i) => tokens.slice(0, i).join('').length)
  const logprobs = tokens.map((token, i) => {
    if (i === 0 && repeats) return null
    if (echo === 'constant') return -1
    return token === ` ${likely(tokens.slice(0, i).join(''))}` ? -0.1 : -3 - token.length / 10
  })
  return {
    object: 'text_completion',
    choices: [
      {
        index: 0,
        text: repeats ? prompt + next : next,
        finish_reason: 'length',
        logprobs: { tokens, token_logprobs: logprobs, text_offset: starts, top_logprobs: null },
      },
    ],
    usage: { prompt_tokens: tokens.length - 1, completion_tokens: 1, total_tokens: tokens.length },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}
