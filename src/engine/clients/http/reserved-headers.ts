/** Headers that frame the message or belong to the connection: set by the transport, wrong from anybody else. */
const transportHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** The first of a connection's extra headers that the transport must set itself; null when all are fine. */
export function reservedHeader(headers: Readonly<Record<string, string>>): string | null {
  return Object.keys(headers).find(name => transportHeaders.has(name.toLowerCase())) ?? null
}
