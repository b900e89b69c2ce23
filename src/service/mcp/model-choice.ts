import { z } from 'zod'
import type { QuoteRequest } from '../../contract/quotes/quotes.schemas.ts'
import { Uuid } from '../../contract/primitives.ts'

export const Model = z.string().min(1).max(200).describe('As in list_models: a route id or the id of a connection.')

export function modelChoice(model: string): QuoteRequest['model'] {
  return Uuid.safeParse(model).success ? { kind: 'connection', connection_id: model } : { kind: 'managed', route_id: model }
}
