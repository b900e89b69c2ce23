import type { RunPause } from '../../../contract/runs/runs.schemas.ts'
import type { LimiterView } from './endpoint-limiter.ts'

/** What an endpoint that may take no calls does. */
export type EndpointState = Pick<LimiterView, 'outage' | 'pauseMs' | 'throttle' | 'rateWaitMs'>

/** What work calls: judges, scorers, and a model that writes a text. */
export interface EndpointWait {
  readonly what: RunPause['waits_for']
  /** For people. */
  readonly name: string
  readonly endpoint: EndpointState
  /** Milliseconds until it is given up; null while it takes calls. */
  readonly givesUpInMs: number | null
}

export interface WaitSource {
  view(): EndpointWait
  /** Ends the wait of the moment on a person's request. */
  skip(): void
}

/** What each piece of work calls, so that it can say what it waits for. */
export interface EndpointWaits {
  /** @param owner kind and id of the work @returns to be called when it calls the endpoint no more */
  add(owner: string, source: WaitSource): () => void
  of(owner: string): EndpointWait[]
  skip(owner: string): void
}

export function createEndpointWaits(): EndpointWaits {
  const sources = new Map<string, Set<WaitSource>>()
  return {
    add: (owner, source) => {
      const present = sources.get(owner) ?? new Set()
      sources.set(owner, present.add(source))
      return () => {
        present.delete(source)
        if (present.size === 0) sources.delete(owner)
      }
    },
    of: owner => [...(sources.get(owner) ?? [])].map(source => source.view()),
    skip: owner => {
      for (const source of sources.get(owner) ?? []) source.skip()
    },
  }
}

/** The name under which the work of a run, a calibration and so on waits. */
export function waiterName({ kind, id }: { readonly kind: string; readonly id: string }): string {
  return `${kind} ${id}`
}
