import type { WorkerEndpoint } from '../../contract/workers/worker-calls.schemas.ts'
import type { WorkerBatch, WorkerLease, WorkerOutcome } from '../../contract/workers/workers.schemas.ts'
import { mediaIn } from '../../contract/messages/messages.schemas.ts'
import { createAddressPolicy } from '../../engine/clients/address-policy.ts'
import type { ModelClient } from '../../engine/clients/model-client.ts'
import { openModelClient } from '../../engine/clients/open-model-client.ts'
import type { TrafficMeter } from '../../engine/clients/traffic.ts'
import { encodeOutcome } from '../../service/workers/call-outcome.ts'
import { createSealPair, type SharedSecret } from '../../service/workers/sealed-key.ts'
import { createBatchMedia } from './batch-media.ts'
import type { RemoteService } from './remote-service.ts'
import type { WorkerOptions } from './worker-options.ts'

type CallBatch = Exclude<WorkerBatch, { kind: 'grade' }>

/** Makes the calls of connections from this machine, with its own key. */
export interface Caller {
  execute(batch: CallBatch, signal: AbortSignal): Promise<WorkerOutcome>
  /** Keys that an owner shares with this worker now; all others are forgotten. @throws Error for one that was not sealed for it */
  receive(workerId: string, keys: WorkerLease['keys']): void
  readonly publicKey: string
  close(): Promise<void>
}

export function createCaller(
  { join, slots, secret, proxies }: Pick<WorkerOptions, 'join' | 'slots' | 'secret'> & Partial<Pick<WorkerOptions, 'proxies'>>,
  traffic: TrafficMeter,
  fetchMedia: RemoteService['media'] = () => Promise.resolve(null),
): Caller {
  const media = createBatchMedia(fetchMedia)
  const clients = new Map<string, ModelClient>()
  const seals = createSealPair()
  let shared = new Map<string, SharedSecret>()
  /** This machine's own key goes before a shared one. Whoever may edit a connection may not have either sent elsewhere. */
  const secretFor = ({ base_url, connection_id }: WorkerEndpoint): SharedSecret => {
    const origin = URL.parse(base_url)?.origin ?? ''
    if (secret === null || origin !== secret.origin) return shared.get(`${connection_id} ${origin}`) ?? { api_key: null, headers: {} }
    return secret.header === null ? { api_key: secret.value, headers: {} } : { api_key: null, headers: { [secret.header]: secret.value } }
  }
  const clientFor = (endpoint: WorkerEndpoint): ModelClient => {
    const { api_key, headers } = secretFor(endpoint)
    const key = JSON.stringify([endpoint, api_key, headers])
    const known = clients.get(key)
    if (known) return known
    const { protocol, base_url, model, streaming, timeout_ms, request_settings, parameters, ca_certificates } = endpoint
    const client = openModelClient(protocol, {
      baseUrl: base_url,
      model,
      streaming,
      apiKey: api_key,
      headers,
      attemptTimeoutMs: timeout_ms,
      requestSettings: request_settings,
      parameters,
      caCertificates: ca_certificates,
      connections: slots,
      media: media.source,
      addressPolicy: createAddressPolicy({ ownOrigin: join, proxies }),
      traffic,
    })
    clients.set(key, client)
    return client
  }
  return {
    publicKey: seals.publicKey,
    receive: (workerId, keys) => {
      media.joined(workerId)
      shared = new Map(
        keys.map(({ connection_id, origin, sealed }) => [
          `${connection_id} ${origin}`,
          seals.open(sealed, { workerId, connectionId: connection_id, origin }),
        ]),
      )
    },
    execute: async (batch, signal) => {
      const client = clientFor(batch.endpoint)
      if (batch.kind === 'call') media.expect(batch.batch_id, mediaIn(batch.request.messages))
      if (batch.kind === 'call') return { kind: 'call', call: encodeOutcome(await client.call(batch.request, { signal })) }
      const fault = await client.probe({ signal })
      return { kind: 'probe', fault: fault && { code: fault.code, message: fault.message } }
    },
    close: async () => {
      await Promise.all([...clients.values()].map(client => client.close()))
    },
  }
}
