import { z } from 'zod'
import { named, Timestamp } from '../primitives.ts'

/** What was exchanged with one server on behalf of the workspace. */
export const NetworkHost = named('NetworkHost', {
  origin: z
    .string()
    .describe('Scheme, host and port; `others` for all servers beyond the first 2,000.')
    .meta({ example: 'https://models.example:8443' }),
  requests: z.int().nonnegative().describe('Requests sent, including partially sent ones.'),
  sent_bytes: z.int().nonnegative().describe('Bytes of request bodies.'),
  received_bytes: z.int().nonnegative().describe('Bytes of response bodies as received.'),
  proxy: z.string().nullable().describe('Scheme, host and port of the proxy that the last request went through; null if it went directly.'),
  first_at: Timestamp,
  last_at: Timestamp,
})
export type NetworkHost = z.infer<typeof NetworkHost>
