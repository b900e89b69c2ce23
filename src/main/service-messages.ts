import type { Service, ServiceConfig } from '../service/config.ts'
import type { SecretPlace } from '../service/host.ts'

/** An error as it crosses between two processes. */
export interface SentError {
  readonly name: string
  readonly message: string
  /** Of a system's error, such as EACCES; empty elsewhere. */
  readonly code: string
}

export function sendableError(error: unknown): SentError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), code: '' }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return { name: error.name, message: error.message, code }
}

export function receivedError({ name, message, code }: SentError): Error {
  return Object.assign(new Error(message), { name, code })
}

/** What a running service states of itself. */
export type ServiceFacts = Pick<Service, 'baseUrl' | 'publicUrl' | 'workspaceId' | 'sessionToken'>

/** What the service asks the keychain, which only the main process reaches. */
export type SecretRequest =
  | { readonly method: 'unavailableReason' }
  | { readonly method: 'encrypt'; readonly plain: string; readonly place: SecretPlace }
  | { readonly method: 'decrypt' | 'sealFormer'; readonly cipher: Uint8Array; readonly place: SecretPlace }

/** From the main process to the service's. `id` is that of the request, or of the sandbox process, that it belongs to. */
export type ToService =
  | { readonly kind: 'start'; readonly config: ServiceConfig }
  | { readonly kind: 'close' }
  | { readonly kind: 'secret'; readonly id: number; readonly value: string | Uint8Array | null }
  | { readonly kind: 'secret-failed'; readonly id: number; readonly error: SentError }
  | { readonly kind: 'process-message'; readonly id: number; readonly data: unknown }
  | { readonly kind: 'process-end'; readonly id: number; readonly detail: string }

/** From the service's process to the main one. */
export type FromService =
  | { readonly kind: 'ready'; readonly service: ServiceFacts }
  | { readonly kind: 'not-started'; readonly error: SentError }
  | { readonly kind: 'failed'; readonly error: SentError }
  | { readonly kind: 'closed'; readonly error: SentError | null }
  | { readonly kind: 'secret'; readonly id: number; readonly request: SecretRequest }
  | { readonly kind: 'process-start'; readonly id: number; readonly script: string }
  | { readonly kind: 'process-post'; readonly id: number; readonly data: unknown }
  | { readonly kind: 'process-kill'; readonly id: number }

/** A message by its kind. Both ends are built together, so that its fields are those of its type. */
export function readMessage<Message extends ToService | FromService>(data: unknown): Message {
  if (typeof data !== 'object' || data === null || !('kind' in data)) throw new TypeError('A message between processes has no kind.')
  return data as Message
}
