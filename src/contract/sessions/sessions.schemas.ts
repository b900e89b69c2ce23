import { z } from 'zod'
import { scopes } from '../scopes.ts'
import { named, Timestamp, Uuid } from '../primitives.ts'

export const Role = z.enum(['owner', 'admin', 'member'])

export const PairingBody = named('PairingBody', {
  code: z.string().trim().min(1).max(64).describe('One-time code printed by the service; dashes and case are ignored.'),
})

export const Me = named('Me', {
  principal: z.enum(['session', 'api_key']),
  name: z.string(),
  role: Role.nullable().describe('Null for keys.'),
  scopes: z.array(z.enum(scopes)),
  workspaces: z.array(z.strictObject({ id: Uuid, name: z.string(), demo: z.boolean() })),
  expires_at: Timestamp.nullable(),
})
export type Me = z.infer<typeof Me>

export const PairingCode = named('PairingCode', {
  code: z.string(),
  expires_at: Timestamp,
  address: z.string().describe('Where to enter it.'),
})
