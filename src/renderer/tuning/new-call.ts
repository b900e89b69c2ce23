import { TuneCall } from '../../contract/index.ts'

export const defaultTemplate = '{input}'

/** The model behind a value of the model field: `managed:<route id>` or `connection:<connection id>`. */
export function modelOf(value: string): TuneCall['model'] | null {
  const [kind, ...rest] = value.split(':')
  const id = rest.join(':')
  if (kind === 'managed') return { kind, route_id: id }
  return kind === 'connection' ? { kind, connection_id: id } : null
}

/** The value of the model field for a model. */
export function choiceOf(model: TuneCall['model']): string {
  return model.kind === 'managed' ? `managed:${model.route_id}` : `connection:${model.connection_id}`
}

export function callOf(model: TuneCall['model'], template: string, source: TuneCall['source'], systemPrompt: string | null): TuneCall {
  return TuneCall.parse({ source, model, prompt_template: template, system_prompt: systemPrompt })
}
