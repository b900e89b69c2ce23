import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

/** What becomes of one call of a batch. */
export type ScriptedEnd = 'answer' | 'expired' | 'refused' | 'left out'

export interface BatchProvider {
  readonly baseUrl: string
  /** Batches in the order of their submission, with the custom ids of their calls. */
  readonly batches: ScriptedBatch[]
  /** Calls that were answered one by one, such as a connection's check. */
  live(): number
  /** Lets batches end; those that are not let stay in progress. */
  finish(isFinished: boolean): void
  /** @param end by custom id */
  script(end: (customId: string) => ScriptedEnd): void
  /** The reply to the next submission is cut off after the batch was accepted. */
  cutOff(): void
  /** Submissions are accepted and answered when what is returned is called. */
  holdSubmissions(): () => void
  /** How many of the next questions after a batch or a list of them are answered with a status. */
  refuseReads(status: number, times: number): void
  close(): Promise<void>
}

export interface ScriptedBatch {
  readonly id: string
  readonly customIds: readonly string[]
  readonly token: string | null
  status: 'in_progress' | 'completed' | 'cancelled'
}

const usage = { prompt: 100, answer: 10 } as const
/** Tokens of every call, as the provider counts them. */
export const batchedUsage = usage

const Line = z.object({
  custom_id: z.string(),
  url: z.string(),
  body: z.object({ messages: z.array(z.unknown()), stream: z.boolean().optional() }),
})
const Requests = z.object({ requests: z.array(z.object({ custom_id: z.string(), params: z.looseObject({}) })) })
const Created = z.object({ input_file_id: z.string(), completion_window: z.literal('24h'), metadata: z.record(z.string(), z.string()) })

/** A server with the batch interface of OpenAI below `/v1`, or of Anthropic. Answers every question alike. */
export async function startBatchProvider(kind: 'openai' | 'anthropic', answer = '#### 13'): Promise<BatchProvider> {
  const batches: ScriptedBatch[] = []
  const files = new Map<string, readonly string[]>()
  let live = 0
  let isFinished = true
  let isCutOff = false
  let held: Promise<void> | null = null
  let refused = { status: 0, times: 0 }
  let endOf: (customId: string) => ScriptedEnd = () => 'answer'
  const completion = () => ({
    id: 'x',
    object: 'chat.completion',
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: answer }, finish_reason: 'stop' }],
    usage: { prompt_tokens: usage.prompt, completion_tokens: usage.answer, total_tokens: usage.prompt + usage.answer },
  })
  const message = () => ({
    id: 'x',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [{ type: 'text', text: answer }],
    stop_reason: 'end_turn',
    usage: { input_tokens: usage.prompt, output_tokens: usage.answer },
  })
  const add = (customIds: readonly string[], token: string | null): ScriptedBatch => {
    const batch: ScriptedBatch = { id: `batch_${batches.length + 1}`, customIds, token, status: 'in_progress' }
    batches.push(batch)
    return batch
  }
  const find = (id: string): ScriptedBatch => {
    const batch = batches.find(one => one.id === id)
    if (!batch) throw new Error(`no batch ${id}`)
    if (batch.status === 'in_progress' && isFinished) batch.status = 'completed'
    return batch
  }

  const openAi = (method: string, path: string, body: string): unknown => {
    if (method === 'POST' && path === '/v1/files') {
      const lines = body.split('\n').filter(line => line.startsWith('{'))
      const parsed = lines.map(line => Line.parse(JSON.parse(line)))
      if (parsed.some(line => line.body.stream === true || line.url !== '/v1/chat/completions')) throw new Error('not a line of a batch')
      const id = `file_${files.size + 1}`
      files.set(
        id,
        parsed.map(line => line.custom_id),
      )
      return { id }
    }
    if (method === 'POST' && path === '/v1/batches') {
      const { input_file_id: file, metadata } = Created.parse(JSON.parse(body))
      const { id } = add(files.get(file) ?? [], metadata['assay_batch'] ?? null)
      return { id, status: 'validating' }
    }
    if (method === 'GET' && path.startsWith('/v1/batches?'))
      return { data: batches.map(({ id, token, status }) => ({ id, status, metadata: { assay_batch: token } })) }
    const [, id = '', action] = /^\/v1\/batches\/([^/]+)(\/cancel)?$/.exec(path) ?? []
    if (id !== '') {
      const batch = find(id)
      if (action) batch.status = 'cancelled'
      return { id, status: batch.status, output_file_id: `out-${id}`, error_file_id: `err-${id}` }
    }
    const [, which, of = ''] = /^\/v1\/files\/(out|err)-(batch_\d+)\/content$/.exec(path) ?? []
    if (which) {
      const lines = find(of)
        .customIds.map(customId => ({ customId, end: endOf(customId) }))
        .filter(({ end }) => end !== 'left out')
      // In no order of the requests.
      return lines
        .filter(({ end }) => (end === 'answer') === (which === 'out'))
        .toReversed()
        .map(({ customId, end }) =>
          JSON.stringify({
            custom_id: customId,
            response:
              end === 'expired'
                ? null
                : end === 'refused'
                  ? { status_code: 400, body: { error: { message: 'Unsupported value', type: 'invalid_request_error' } } }
                  : { status_code: 200, body: completion() },
            error:
              end === 'expired'
                ? { code: 'batch_expired', message: 'This request could not be executed before the window expired.' }
                : null,
          }),
        )
        .join('\n')
    }
    if (method === 'POST' && path === '/v1/chat/completions') {
      live++
      return completion()
    }
    return null
  }
  const anthropic = (method: string, path: string, body: string): unknown => {
    if (method === 'POST' && path === '/v1/messages/batches') {
      const { requests } = Requests.parse(JSON.parse(body))
      const { id } = add(
        requests.map(one => one.custom_id),
        null,
      )
      return { id, processing_status: 'in_progress' }
    }
    const [, id = '', action] = /^\/v1\/messages\/batches\/([^/]+)(\/\w+)?$/.exec(path) ?? []
    if (id !== '') {
      const batch = find(id)
      if (action === '/cancel') batch.status = 'cancelled'
      if (action !== '/results') return { id, processing_status: batch.status === 'in_progress' ? 'in_progress' : 'ended' }
      return batch.customIds
        .toReversed()
        .filter(customId => endOf(customId) !== 'left out')
        .map(customId => {
          const end = endOf(customId)
          const result =
            end === 'answer'
              ? { type: 'succeeded', message: message() }
              : end === 'expired'
                ? { type: 'expired' }
                : { type: 'errored', error: { type: 'error', error: { type: 'invalid_request_error', message: 'Unsupported value' } } }
          return JSON.stringify({ custom_id: customId, result })
        })
        .join('\n')
    }
    if (method === 'POST' && path === '/v1/messages') {
      live++
      return message()
    }
    return null
  }
  const handle = kind === 'openai' ? openAi : anthropic
  const server = createServer((request, response) => {
    void read(request).then(async body => {
      const { method = '', url = '' } = request
      if (method === 'GET' && url.includes('/batches') && refused.times-- > 0) {
        response.writeHead(refused.status, { 'content-type': 'application/json' })
        return response.end('{"error":{"message":"not now"}}')
      }
      const reply = handle(method, url, body)
      const isSubmission = method === 'POST' && url.endsWith('/batches')
      if (isSubmission && isCutOff) {
        isCutOff = false
        return response.destroy()
      }
      if (isSubmission) await held
      response.writeHead(reply === null ? 404 : 200, { 'content-type': 'application/json' })
      return response.end(typeof reply === 'string' ? reply : JSON.stringify(reply ?? { error: { message: 'not found' } }))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    batches,
    live: () => live,
    finish: finished => {
      isFinished = finished
    },
    script: end => {
      endOf = end
    },
    cutOff: () => {
      isCutOff = true
    },
    holdSubmissions: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return () => {
        held = null
        resolve()
      }
    },
    refuseReads: (status, times) => {
      refused = { status, times }
    },
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(Buffer.from(part as Uint8Array))
  return Buffer.concat(parts).toString()
}
