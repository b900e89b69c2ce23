import { z } from 'zod'
import type { Connection } from '../../../contract/connections/connections.schemas.ts'
import { ApiKey, StandardConnectionBody } from '../../../contract/connections/connections.schemas.ts'
import { Uuid } from '../../../contract/primitives.ts'
import { IdempotencyKey } from '../idempotency-key.ts'
import { defineTool, type ToolContext } from '../tool.ts'
import { untrusted } from '../untrusted.ts'

const { name, base_url: baseUrl, model, protocol } = StandardConnectionBody.shape

export const addConnection = defineTool({
  name: 'add_connection',
  title: 'Add a connection',
  description:
    'Registers a model endpoint; check_connection before its first quote. A person adds addresses of private networks, and rates. Without api_key a person can enter the key on the page.',
  effect: 'write',
  calls: ['createConnection'],
  input: z.strictObject({
    name,
    base_url: baseUrl,
    model,
    protocol,
    api_key: ApiKey.optional().describe('Of the provider. Stored encrypted and never returned.'),
    idempotency_key: IdempotencyKey,
  }),
  page: () => '/models',
  run: async ({ idempotency_key: key, ...body }, context) =>
    describeConnection(await context.call('createConnection', { body, headers: { 'idempotency-key': key } }), context),
})

export const checkConnection = defineTool({
  name: 'check_connection',
  title: 'Check a connection',
  description: 'Makes a small model call, which the provider may bill. Only with check.ok=true can the connection be quoted.',
  effect: 'spend',
  calls: ['checkConnection'],
  input: z.strictObject({ connection_id: Uuid }),
  page: ({ connection_id: id }) => `/models/connections/${id}`,
  run: async ({ connection_id: id }, context) =>
    describeConnection(await context.call('checkConnection', { params: { connection_id: id } }), context),
})

function describeConnection(connection: Connection, { pageUrl }: Pick<ToolContext, 'pageUrl'>): object {
  const { last_check: check } = connection
  return {
    connection_id: connection.id,
    status: connection.status,
    protocol: connection.protocol,
    has_api_key: connection.has_api_key,
    capabilities: connection.capabilities,
    check: check && { ok: check.ok, code: check.code, latency_ms: check.latency_ms, reports_usage: check.reports_usage },
    ...untrusted({
      name: connection.name,
      base_url: connection.base_url,
      model: connection.model,
      check_message: check?.message ?? null,
      proposed_base_url: check?.proposed_base_url ?? null,
    }),
    page: pageUrl(`/models/connections/${connection.id}`),
  }
}
