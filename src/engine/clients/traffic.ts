/**
 * Called for every exchange with a server of which something was sent: its origin, the bytes of both bodies as they went over the wire, and the
 * origin of the proxy between, null where there was none.
 */
export type TrafficMeter = (origin: string, sentBytes: number, receivedBytes: number, proxy?: string | null) => void
