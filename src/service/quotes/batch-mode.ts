import { Rates } from '../../contract/catalog/models.schemas.ts'
import type { CompatibilityCheck, ExecutionSettings, Quote } from '../../contract/quotes/quotes.schemas.ts'
import { batchedProtocols } from '../../engine/clients/batches/batch-protocol.ts'
import type { FrozenSelection } from './select-tasks.ts'
import type { SelectedModel } from './select-model.ts'
import type { TaskParts } from './check-parts.ts'

/** A model at the rates of its provider's batches: half, rounded up to whole micro-USD per million. */
export function inMode(model: SelectedModel, { mode }: Pick<ExecutionSettings, 'mode'>): SelectedModel {
  const { rates } = model.snapshot
  if (mode !== 'batch' || rates === null) return model
  const halved = Rates.parse(
    Object.fromEntries(
      Object.entries(rates).flatMap(([name, rate]) => (rate === undefined ? [] : [[name, String((BigInt(rate) + 1n) / 2n)]])),
    ),
  )
  return { ...model, snapshot: { ...model.snapshot, rates: halved } }
}

/** Whether every sample is one question to a provider with batches; empty for other modes. */
export function batchChecks(
  { snapshot, protocol }: SelectedModel,
  selections: readonly FrozenSelection[],
  parts: readonly TaskParts[],
  { mode, attempt_timeout_ms, sample_timeout_ms, run_timeout_ms }: ExecutionSettings,
): CompatibilityCheck[] {
  if (mode !== 'batch') return []
  const base = { check: 'model_capabilities', profile_id: null } as const
  if (snapshot.kind !== 'connection' || protocol === null || !batchedProtocols.includes(protocol))
    return [
      {
        ...base,
        status: 'fail',
        detail: `${snapshot.title} has no batch interface. Choose an OpenAI or Anthropic connection, or the mode live.`,
      },
    ]
  if (attempt_timeout_ms !== null || sample_timeout_ms !== null || run_timeout_ms !== null)
    return [
      {
        ...base,
        status: 'fail',
        detail: 'Batches are answered within 24 h, so the time limits of calls, samples and the run must be left out.',
      },
    ]
  return selections.map(({ profile, definition }, i): CompatibilityCheck => {
    const why = definition.environment
      ? 'plays episodes, turn after turn'
      : definition.loglikelihood
        ? 'measures log-likelihoods'
        : (parts[i]?.shapes ?? []).some(({ turns }) => turns > 1)
          ? 'has conversations of several turns'
          : null
    return why === null
      ? { ...base, profile_id: profile.id, status: 'pass', detail: 'Each sample is one call of a batch.' }
      : {
          ...base,
          profile_id: profile.id,
          status: 'fail',
          detail: `${profile.title} ${why}; a batch takes single questions. Use the mode live.`,
        }
  })
}

export function batchWarnings({ mode }: Pick<ExecutionSettings, 'mode'>): Quote['warnings'] {
  if (mode !== 'batch') return []
  return [
    {
      code: 'batch_mode',
      message:
        'Calls go through the provider’s batches: half the connection’s rates, and answers within 24 h, none of them before its batch ends.',
    },
  ]
}
