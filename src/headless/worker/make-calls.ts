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
  /** Keys that an owner shares with this worker now; all others are forgotten, and what was opened with them once its calls have ended. @throws Error for one that was not sealed for it, and then keeps none */
  receive(workerId: string, keys: WorkerLease['keys']): Promise<void>
  readonly publicKey: string
  close(): Promise<void>
}

/** A client for the endpoint and secret that it was opened with. */
interface Opened {
  readonly client: ModelClient
  readonly endpoint: WorkerEndpoint
  calls: number
  isForgotten: boolean
}

export function createCaller(
  { join, slots, secret, proxies }: Pick<WorkerOptions, 'join' | 'slots' | 'secret'> & Partial<Pick<WorkerOptions, 'proxies'>>,
  traffic: TrafficMeter,
  fetchMedia: RemoteService['media'] = () => Promise.resolve(null),
): Caller {
  const media = createBatchMedia(fetchMedia)
  const clients = new Map<string, Opened>()
  const seals = createSealPair()
  let shared = new Map<string, SharedSecret>()
  /** This machine's own key goes before a shared one. Whoever may edit a connection may not have either sent elsewhere. */
  const secretFor = ({ base_url, connection_id }: WorkerEndpoint): SharedSecret => {
    const origin = URL.parse(base_url)?.origin ?? ''
    if (secret === null || origin !== secret.origin) return shared.get(`${connection_id} ${origin}`) ?? { api_key: null, headers: {} }
    return secret.header === null ? { api_key: secret.value, headers: {} } : { api_key: null, headers: { [secret.header]: secret.value } }
  }
  const keyOf = (endpoint: WorkerEndpoint, { api_key, headers }: SharedSecret) => JSON.stringify([endpoint, api_key, headers])
  const clientFor = (endpoint: WorkerEndpoint): Opened => {
    const secret = secretFor(endpoint)
    const key = keyOf(endpoint, secret)
    const known = clients.get(key)
    if (known) return known
    const { protocol, base_url, model, streaming, timeout_ms, request_settings, parameters, ca_certificates } = endpoint
    const client = openModelClient(protocol, {
      baseUrl: base_url,
      model,
      streaming,
      apiKey: secret.api_key,
      headers: secret.headers,
      attemptTimeoutMs: timeout_ms,
      requestSettings: request_settings,
      parameters,
      caCertificates: ca_certificates,
      connections: slots,
      media: media.source,
      addressPolicy: createAddressPolicy({ ownOrigin: join, proxies }),
      traffic,
    })
    const opened: Opened = { client, endpoint, calls: 0, isForgotten: false }
    clients.set(key, opened)
    return opened
  }
  const closeIdle = async (one: Opened): Promise<void> => {
    if (one.isForgotten && one.calls === 0) await one.client.close()
  }
  /** A client keeps the secret that it was opened with. */
  const forgetFormer = async (): Promise<void> => {
    const former = [...clients].filter(([key, { endpoint }]) => key !== keyOf(endpoint, secretFor(endpoint)))
    for (const [key, one] of former) {
      clients.delete(key)
      one.isForgotten = true
    }
    await Promise.all(former.map(([, one]) => closeIdle(one)))
  }
  return {
    publicKey: seals.publicKey,
    receive: async (workerId, keys) => {
      media.joined(workerId)
      const open = ({ connection_id, origin, sealed }: WorkerLease['keys'][number]) =>
        seals.open(sealed, { workerId, connectionId: connection_id, origin })
      try {
        shared = new Map(keys.map(key => [`${key.connection_id} ${key.origin}`, open(key)]))
      } catch (error) {
        // One that is withdrawn must not outlast another that cannot be opened.
        shared = new Map()
        throw error
      } finally {
        await forgetFormer()
      }
    },
    execute: async (batch, signal) => {
      const one = clientFor(batch.endpoint)
      one.calls++
      try {
        if (batch.kind === 'call') {
          media.expect(batch.batch_id, mediaIn(batch.request.messages))
          return { kind: 'call', call: encodeOutcome(await one.client.call(batch.request, { signal })) }
        }
        const fault = await one.client.probe({ signal })
        return { kind: 'probe', fault: fault && { code: fault.code, message: fault.message } }
      } finally {
        one.calls--
        await closeIdle(one)
      }
    },
    close: async () => {
      await Promise.all([...clients.values()].map(({ client }) => client.close()))
    },
  }
}
