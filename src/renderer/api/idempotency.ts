import { useState } from 'react'

export interface IdempotencyKey {
  /** The header for this content: the same one until the content changes or `done` is called. */
  readonly headersFor: (content: unknown) => { readonly 'idempotency-key': string }
  /** Forgets the key. Call after a success, so that the same form may be sent again on purpose. */
  readonly done: () => void
}

/**
 * One `Idempotency-Key` per form and content: a double click, and a retry after a lost answer or a reload, send the same key, so
 * the service does the work once.
 *
 * @param form Name of the form, unique in the app, e.g. `new-connection`.
 */
export function useIdempotencyKey(form: string): IdempotencyKey {
  const [keeper] = useState(() => createKeyKeeper(`assay.idempotency.${form}`, sessionStorage))
  return keeper
}

export function createKeyKeeper(place: string, storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): IdempotencyKey {
  return {
    headersFor: content => {
      const print = fingerprint(JSON.stringify(content) ?? '')
      const [kept, key] = storage.getItem(place)?.split(' ') ?? []
      if (kept === print && key) return { 'idempotency-key': key }
      const fresh = crypto.randomUUID()
      storage.setItem(place, `${print} ${fresh}`)
      return { 'idempotency-key': fresh }
    },
    done: () => storage.removeItem(place),
  }
}

/** FNV-1a over UTF-16 units, twice: tells contents apart without keeping them, since a form may hold a secret. */
function fingerprint(text: string): string {
  let forward = 0x811c9dc5
  let backward = 0x811c9dc5
  for (let i = 0; i < text.length; i++) {
    forward = Math.imul(forward ^ text.charCodeAt(i), 0x01000193)
    backward = Math.imul(backward ^ text.charCodeAt(text.length - 1 - i), 0x01000193)
  }
  return `${(forward >>> 0).toString(16)}-${(backward >>> 0).toString(16)}-${text.length}`
}
