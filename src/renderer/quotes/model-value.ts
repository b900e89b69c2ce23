import type { ModelChoice } from '../../contract/quotes/quotes.schemas.ts'

/** The model behind a value of a model field: `managed:<route id>` or `connection:<connection id>`. */
export function modelOf(value: string): ModelChoice {
  const id = value.slice(value.indexOf(':') + 1)
  return value.startsWith('connection:') ? { kind: 'connection', connection_id: id } : { kind: 'managed', route_id: id }
}

/** The value of a model field for a model. */
export function valueOf(model: ModelChoice): string {
  return model.kind === 'managed' ? `managed:${model.route_id}` : `connection:${model.connection_id}`
}
