import type { ServiceError } from '../../contract/client.ts'
import type { FieldErrors } from './quote-form.ts'

/** Maps a refused field of the request to its place in the form; execution settings keep their own names. */
const fieldOfPath: Readonly<Record<string, string>> = {
  model: 'model',
  models: 'model',
  'selection.profile_ids': 'profileIds',
  'coverage.sample_count': 'sampleCount',
  'coverage.seed': 'seed',
  max_charge_microusd: 'capDollars',
  'execution.max_provider_billed_microusd': 'providerCapDollars',
}

/** The service's refusal, sorted to the fields that it is about. */
export function refusedFields({ detail }: ServiceError): FieldErrors {
  const errors: Record<string, string> = {}
  for (const { loc, msg } of detail) {
    const path = loc.slice(1).join('.')
    const known = Object.keys(fieldOfPath).find(prefix => path === prefix || path.startsWith(`${prefix}.`))
    const field = known === undefined ? (path.startsWith('execution.') ? path : undefined) : fieldOfPath[known]
    if (field !== undefined) errors[field] ??= msg
  }
  return errors
}
