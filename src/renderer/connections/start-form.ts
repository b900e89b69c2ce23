import type { ConnectionPreset, FoundRuntime } from '../../contract/connections/presets.schemas.ts'
import { typedDollars } from '../ui/forms/dollars.ts'
import { type ConnectionForm, typedPartRates } from './connection-form.ts'
import { emptyPartRates } from './part-rates.ts'

/** What choosing a preset fills in. The model and its rates belong to the former choice, so they are cleared. */
export function fromPreset({
  title,
  protocol,
  base_url,
  probes,
}: Pick<ConnectionPreset, 'title' | 'protocol' | 'base_url' | 'probes'>): Partial<ConnectionForm> {
  return {
    name: title,
    protocol,
    base_url,
    probes,
    streaming: false,
    model: '',
    input_dollars: '',
    output_dollars: '',
    ...emptyPartRates,
    context_tokens: '',
    max_output_tokens: '',
  }
}

export function modelFromPreset(model: ConnectionPreset['models'][number]): Partial<ConnectionForm> {
  return {
    model: model.model,
    input_dollars: typedDollars(model.input_microusd_per_million),
    output_dollars: typedDollars(model.output_microusd_per_million),
    ...typedPartRates(model),
    context_tokens: model.context_tokens ?? '',
    max_output_tokens: model.max_output_tokens ?? '',
  }
}

/** @param model null where the runtime did not list any */
export function fromFound(runtime: FoundRuntime, model: FoundRuntime['models'][number] | null): Partial<ConnectionForm> {
  return {
    ...fromPreset({
      ...runtime,
      probes: runtime.protocol === 'vllm' ? ['loglikelihood'] : [],
    }),
    name: model ? `${runtime.title}: ${model.model}` : runtime.title,
    model: model?.model ?? '',
    context_tokens: model?.context_tokens ?? '',
  }
}
