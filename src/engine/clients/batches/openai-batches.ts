import { z } from 'zod'
import type { BatchedResult, BatchProtocol, BatchState } from './batch-protocol.ts'
import { jsonLines } from './json-lines.ts'

const File = z.object({ id: z.string().min(1) })
const Batch = z.object({
  id: z.string().min(1),
  status: z.string(),
  output_file_id: z.string().nullish(),
  error_file_id: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  errors: z.object({ data: z.array(z.object({ message: z.string().nullish() })).nullish() }).nullish(),
})
const Batches = z.object({ data: z.array(Batch) })
const Line = z.object({
  custom_id: z.string(),
  response: z.object({ status_code: z.int(), body: z.unknown() }).nullish(),
  error: z.object({ code: z.string().nullish(), message: z.string().nullish() }).nullish(),
})

/** Names our token in a batch's metadata. */
const tokenName = 'assay_batch'
const over = new Set(['completed', 'failed', 'expired', 'cancelled'])

/** `POST /files` and `POST /batches` of OpenAI: results in files, half the price, 24 hours. */
export const openAiBatches: BatchProtocol = {
  submit: async (transport, token, calls, signal) => {
    const lines = calls.map(({ customId, path, body }) => JSON.stringify({ custom_id: customId, method: 'POST', url: `/v1${path}`, body }))
    const form = multipart(token, `${lines.join('\n')}\n`)
    const uploaded = await transport.postBytes('/files', form.bytes, form.contentType, signal)
    if (!uploaded.ok) return uploaded
    const file = File.safeParse(uploaded.value)
    if (!file.success) return transport.badReply(uploaded, 'names no file')
    const created = await transport.post(
      '/batches',
      {
        input_file_id: file.data.id,
        endpoint: `/v1${calls[0]?.path ?? ''}`,
        completion_window: '24h',
        metadata: { [tokenName]: token },
      },
      signal,
    )
    if (!created.ok) return created
    const batch = Batch.safeParse(created.value)
    return batch.success ? { ok: true, id: batch.data.id } : transport.badReply(created, 'names no batch')
  },
  state: async (transport, id, signal) => {
    const reply = await transport.get(`/batches/${encodeURIComponent(id)}`, signal)
    if (!reply.ok) return reply
    const batch = Batch.safeParse(reply.value)
    if (!batch.success) return transport.badReply(reply, 'describes no batch')
    const { status, output_file_id: output, error_file_id: errors } = batch.data
    const messages = (batch.data.errors?.data ?? []).flatMap(({ message }) => message ?? [])
    return {
      ok: true,
      isOver: over.has(status),
      results: [output, errors].flatMap(file => file ?? []),
      failure: status === 'failed' ? messages.join(' ') || 'The provider refused the batch.' : null,
      isCut: status === 'cancelled' || status === 'expired',
    } satisfies BatchState
  },
  results: async (transport, { results }, signal) => {
    const items = new Map<string, BatchedResult>()
    for (const file of results) {
      const read = await transport.text(`/files/${encodeURIComponent(file)}/content`, signal)
      if (!read.ok) return read
      for (const value of jsonLines(read.text)) {
        const line = Line.safeParse(value)
        if (line.success) items.set(line.data.custom_id, resultOf(line.data))
      }
    }
    return { ok: true, items }
  },
  cancel: async (transport, id, signal) => {
    await transport.post(`/batches/${encodeURIComponent(id)}/cancel`, {}, signal)
  },
  find: async (transport, token, signal) => {
    const reply = await transport.get('/batches?limit=100', signal)
    if (!reply.ok) return reply
    const batches = Batches.safeParse(reply.value)
    if (!batches.success) return transport.badReply(reply, 'lists no batches')
    return { ok: true, id: batches.data.data.find(({ metadata }) => metadata?.[tokenName] === token)?.id ?? null }
  },
}

function resultOf({ response, error }: z.infer<typeof Line>): BatchedResult {
  if (response) return { kind: 'reply', status: response.status_code, body: JSON.stringify(response.body ?? null) }
  const reason = error?.message ?? 'The provider gave no result for this call.'
  const kind = error?.code === 'batch_expired' ? 'expired' : error?.code === 'batch_cancelled' ? 'cancelled' : 'failed'
  return { kind, reason }
}

/** @param token 36 characters that occur in no request */
function multipart(token: string, content: string): { readonly bytes: Buffer; readonly contentType: string } {
  const boundary = `assay-${token}`
  const part = (head: string, text: string) => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`
  const text = [
    part('name="purpose"', 'batch'),
    part(`name="file"; filename="assay-${token}.jsonl"\r\nContent-Type: application/jsonl`, content),
    `--${boundary}--\r\n`,
  ]
  return { bytes: Buffer.from(text.join('')), contentType: `multipart/form-data; boundary=${boundary}` }
}
