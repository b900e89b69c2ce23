import { useSyncExternalStore } from 'react'

/** Whether the service answered the last request. `navigator.onLine` says nothing about a service on this machine. */
let reachable = true
const listeners = new Set<() => void>()

export function reportReachable(now: boolean): void {
  if (now === reachable) return
  reachable = now
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useReachable(): boolean {
  return useSyncExternalStore(subscribe, () => reachable)
}
