import { z } from 'zod'
import { Timestamp } from '../primitives.ts'

/** What was exchanged with one server on behalf of the workspace. */
export const NetworkHost = z
  .strictObject({
    origin: z.string().describe('Scheme, host and port.').meta({ example: 'https://models.example:8443' }),
    requests: z.int().nonnegative().describe('Requests of which at least a part was sent.'),
    sent_bytes: z.int().nonnegative().describe('Of request bodies.'),
    received_bytes: z.int().nonnegative().describe('Of response bodies, as they came.'),
    first_at: Timestamp,
    last_at: Timestamp,
  })
  .meta({ id: 'NetworkHost' })
export type NetworkHost = z.infer<typeof NetworkHost>
