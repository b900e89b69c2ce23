import { z } from 'zod'
import type { BatchedResult, BatchProtocol } from './batch-protocol.ts'
import { jsonLines } from './json-lines.ts'

const Batch = z.object({ id: z.string().min(1), processing_status: z.string() })
const Line = z.object({
  custom_id: z.string(),
  result: z.discriminatedUnion('type', [
    z.object({ type: z.literal('succeeded'), message: z.unknown() }),
    z.object({ type: z.literal('errored'), error: z.unknown() }),
    z.object({ type: z.literal('canceled') }),
    z.object({ type: z.literal('expired') }),
  ]),
})
const ErrorType = z.object({ error: z.object({ type: z.string() }) })

/** Statuses with which a call by itself would have been refused. */
const statusOf: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  overloaded_error: 529,
}

/** `POST /messages/batches` of Anthropic: calls inline, results as JSON lines in no order, half the price, 24 hours. */
export const anthropicBatches: BatchProtocol = {
  submit: async (transport, _token, calls, signal) => {
    const requests = calls.map(({ customId, body }) => ({ custom_id: customId, params: body }))
    const created = await transport.post('/messages/batches', { requests }, signal)
    if (!created.ok) return created
    const batch = Batch.safeParse(created.value)
    return batch.success ? { ok: true, id: batch.data.id } : transport.badReply(created, 'names no batch')
  },
  state: async (transport, id, signal) => {
    const reply = await transport.get(`/messages/batches/${encodeURIComponent(id)}`, signal)
    if (!reply.ok) return reply
    const batch = Batch.safeParse(reply.value)
    if (!batch.success) return transport.badReply(reply, 'describes no batch')
    // The address of the results in the reply is not followed: they are below the base URL.
    return { ok: true, isOver: batch.data.processing_status === 'ended', results: [batch.data.id], failure: null, isCut: false }
  },
  results: async (transport, { results }, signal) => {
    const items = new Map<string, BatchedResult>()
    for (const id of results) {
      const read = await transport.text(`/messages/batches/${encodeURIComponent(id)}/results`, signal)
      if (!read.ok) return read
      for (const value of jsonLines(read.text)) {
        const line = Line.safeParse(value)
        if (line.success) items.set(line.data.custom_id, resultOf(line.data.result))
      }
    }
    return { ok: true, items }
  },
  cancel: async (transport, id, signal) => {
    await transport.post(`/messages/batches/${encodeURIComponent(id)}/cancel`, {}, signal)
  },
  // Its batches carry nothing of ours by which one could be told.
  find: async () => ({ ok: true, id: null }),
}

function resultOf(result: z.infer<typeof Line>['result']): BatchedResult {
  switch (result.type) {
    case 'succeeded':
      return { kind: 'reply', status: 200, body: JSON.stringify(result.message ?? null) }
    case 'errored': {
      const type = ErrorType.safeParse(result.error).data?.error.type ?? ''
      return { kind: 'reply', status: statusOf[type] ?? 500, body: JSON.stringify(result.error ?? null) }
    }
    case 'canceled':
      return { kind: 'cancelled', reason: 'The batch was cancelled before this call was executed.' }
    case 'expired':
      return { kind: 'expired', reason: 'The batch expired before this call was executed.' }
  }
}
