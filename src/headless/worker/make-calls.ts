import type { WorkerBatch, WorkerEndpoint, WorkerOutcome } from '../../contract/index.ts'
import { createAddressPolicy } from '../../engine/clients/address-policy.ts'
import type { ModelClient } from '../../engine/clients/model-client.ts'
import { openModelClient } from '../../engine/clients/open-model-client.ts'
import { encodeOutcome } from '../../service/workers/call-outcome.ts'
import type { WorkerOptions } from './worker-options.ts'

type CallBatch = Exclude<WorkerBatch, { kind: 'grade' }>

/** Makes the calls of connections from this machine, with its own key. */
export interface Caller {
  execute(batch: CallBatch, signal: AbortSignal): Promise<WorkerOutcome>
  close(): Promise<void>
}

export function createCaller({ join, slots, secret }: Pick<WorkerOptions, 'join' | 'slots' | 'secret'>): Caller {
  const clients = new Map<string, ModelClient>()
  const clientFor = (endpoint: WorkerEndpoint): ModelClient => {
    const key = JSON.stringify(endpoint)
    const known = clients.get(key)
    if (known) return known
    const { protocol, base_url, model, streaming, timeout_ms } = endpoint
    const client = openModelClient(protocol, {
      baseUrl: base_url,
      model,
      streaming,
      // Whoever may edit a connection may not have the key sent elsewhere.
      apiKey: secret !== null && URL.parse(base_url)?.origin === secret.origin ? secret.value : null,
      headers: {},
      attemptTimeoutMs: timeout_ms,
      connections: slots,
      addressPolicy: createAddressPolicy({ ownOrigin: join }),
    })
    clients.set(key, client)
    return client
  }
  return {
    execute: async (batch, signal) => {
      const client = clientFor(batch.endpoint)
      if (batch.kind === 'call') return { kind: 'call', call: encodeOutcome(await client.call(batch.request, { signal })) }
      const fault = await client.probe({ signal })
      return { kind: 'probe', fault: fault && { code: fault.code, message: fault.message } }
    },
    close: async () => {
      await Promise.all([...clients.values()].map(client => client.close()))
    },
  }
}
