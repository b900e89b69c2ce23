/** Told of every exchange with a server of which something was sent: its origin, and the bytes of both bodies as they went over the wire. */
export type TrafficMeter = (origin: string, sentBytes: number, receivedBytes: number) => void
