import { noRequestSettings } from '../../contract/connections/request-settings.schemas.ts'
import type { CompatibilityCheck, ExecutionSettings } from '../../contract/quotes/quotes.schemas.ts'
import { unplacedSettings } from '../../engine/clients/wire/place-settings.ts'
import type { SelectedModel } from './select-model.ts'

type Sampling = Pick<ExecutionSettings, 'top_p' | 'model_seed'>

/** The model with the run's own top p and seed in place of its connection's. A seed that the endpoint does not take is not sent. */
export function withSampling(model: SelectedModel, asked: Sampling): SelectedModel {
  const { request_settings: own, parameters } = model.snapshot
  const seed = parameters?.seed === false ? null : (asked.model_seed ?? null)
  const topP = asked.top_p ?? null
  if (seed === null && topP === null) return model
  const request_settings = {
    ...(own ?? noRequestSettings),
    ...(topP === null ? {} : { top_p: topP }),
    ...(seed === null ? {} : { seed }),
  }
  return { ...model, snapshot: { ...model.snapshot, request_settings } }
}

/** Whether the model can be sent the top p and the seed of the run. A baseline samples nothing, so that nothing is checked of it. */
export function samplingChecks({ snapshot, protocol }: SelectedModel, asked: Sampling): CompatibilityCheck[] {
  const base = { check: 'model_capabilities', profile_id: null } as const
  const { top_p = null, model_seed: seed = null } = asked
  if (protocol === null || (top_p === null && seed === null)) return []
  const speaksNone = protocol === 'agent_to_agent' || protocol === 'gguf_file'
  const lacking = speaksNone
    ? [...(top_p === null ? [] : ['top_p']), ...(seed === null ? [] : ['seed'])]
    : unplacedSettings(protocol, snapshot.model, { ...noRequestSettings, top_p, seed })
  return [
    ...lacking.map(name => ({
      ...base,
      status: 'fail' as const,
      detail: `${snapshot.title} takes no ${name === 'seed' ? 'model seed' : 'top p'} by ${protocol}. Leave it empty.`,
    })),
    ...(snapshot.parameters?.seed === false && seed !== null && !lacking.includes('seed')
      ? [{ ...base, status: 'warn' as const, detail: `${snapshot.title} takes no seed: the model seed ${seed} is not sent.` }]
      : []),
  ]
}
