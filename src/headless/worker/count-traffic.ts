import { trafficLimits, type WorkerReportBody } from '../../contract/workers/workers.schemas.ts'
import type { TrafficMeter } from '../../engine/clients/traffic.ts'

type Entry = NonNullable<WorkerReportBody['traffic']>[number]

/** What this machine exchanges with model servers, for the service's network log. */
export interface TrafficCount {
  readonly meter: TrafficMeter
  /** What was counted since the last heartbeat; `settle` it once the service has it. */
  counted(): readonly Entry[]
  settle(entries: readonly Entry[]): void
}

/** Origins in one heartbeat; the rest goes with the next. */
const mostOrigins = 100

export function createTrafficCount(): TrafficCount {
  const totals = new Map<string, Entry>()
  const add = (origin: string, requests: number, sent: number, received: number) => {
    const known = totals.get(origin) ?? { origin, requests: 0, sent_bytes: 0, received_bytes: 0 }
    const next = {
      origin,
      requests: known.requests + requests,
      sent_bytes: known.sent_bytes + sent,
      received_bytes: known.received_bytes + received,
    }
    if (next.requests > 0) totals.set(origin, next)
    else totals.delete(origin)
  }
  return {
    meter: (origin, sent, received) => add(origin, 1, sent, received),
    counted: () =>
      [...totals.values()].slice(0, mostOrigins).map(({ origin, requests, sent_bytes, received_bytes }) => ({
        origin,
        requests: Math.min(requests, trafficLimits.requests),
        sent_bytes: Math.min(sent_bytes, trafficLimits.bytes),
        received_bytes: Math.min(received_bytes, trafficLimits.bytes),
      })),
    settle: entries => {
      for (const { origin, requests, sent_bytes, received_bytes } of entries) add(origin, -requests, -sent_bytes, -received_bytes)
    },
  }
}
