import type { Quote, QuoteRequest, ServiceError } from '../../contract/index.ts'
import { parseDollars, typedDollars } from './dollars.ts'

/** What the form holds while it is filled in. A number that is being typed may be absent for a moment. */
export interface QuoteForm {
  /** `managed:<route id>` or `connection:<connection id>`. */
  readonly model: string | null
  readonly profileIds: readonly string[]
  readonly mode: 'sample' | 'full'
  readonly sampleCount: number | null
  readonly seed: number | null
  readonly capDollars: string
  readonly epochs: number | null
  readonly maxAttempts: number | null
  /** Null keeps the profiles' own. */
  readonly temperature: number | null
  readonly maxOutputTokens: number | null
  /** Null leaves it to the endpoint's limits. */
  readonly concurrency: number | null
}

export type QuoteField = keyof QuoteForm
export type FieldErrors = Readonly<Partial<Record<QuoteField, string>>>

export const emptyForm: QuoteForm = {
  model: null,
  profileIds: [],
  mode: 'sample',
  sampleCount: 200,
  seed: 1,
  capDollars: '1.00',
  epochs: 1,
  maxAttempts: 5,
  temperature: null,
  maxOutputTokens: null,
  concurrency: null,
}

/** The form that a quote came from, so that a selection can be changed or quoted again from any saved quote. */
export function formOfQuote({ model, profiles, coverage, cost, execution }: Quote): QuoteForm {
  return {
    model: model.kind === 'managed' ? `managed:${model.route_id ?? ''}` : `connection:${model.connection_id ?? ''}`,
    profileIds: profiles.map(profile => profile.profile_id),
    mode: coverage.mode === 'sample' ? 'sample' : 'full',
    sampleCount: coverage.sample_count ?? emptyForm.sampleCount,
    seed: coverage.seed ?? emptyForm.seed,
    capDollars: typedDollars(cost.max_charge_microusd),
    epochs: execution.epochs,
    maxAttempts: execution.max_attempts,
    temperature: execution.temperature,
    maxOutputTokens: execution.max_output_tokens,
    concurrency: execution.concurrency,
  }
}

export type FormOutcome = { readonly request: QuoteRequest } | { readonly errors: FieldErrors }

/** The request that the form asks for, or what is missing. Bounds are the service's to check: it knows them. */
export function requestOfForm(form: QuoteForm): FormOutcome {
  const model = modelChoice(form.model)
  const cap = parseDollars(form.capDollars)
  const { sampleCount, seed, epochs, maxAttempts } = form
  const sampled = form.mode === 'sample'
  const errors: Record<string, string> = {}
  if (!model) errors['model'] = 'Choose a model.'
  if (form.profileIds.length === 0) errors['profileIds'] = 'Choose at least one profile.'
  if (sampled && sampleCount === null) errors['sampleCount'] = 'Give a number of tasks.'
  if (sampled && seed === null) errors['seed'] = 'Give a whole number.'
  if (epochs === null) errors['epochs'] = 'Give a whole number, 1 or more.'
  if (maxAttempts === null) errors['maxAttempts'] = 'Give a whole number, 1 or more.'
  if (cap === null) errors['capDollars'] = 'Give an amount in dollars, e.g. 1.00, with at most six decimals.'
  if (!model || cap === null || epochs === null || maxAttempts === null || Object.keys(errors).length > 0) return { errors }
  return {
    request: {
      model,
      selection: { profile_ids: [...form.profileIds] },
      coverage: sampled && sampleCount !== null && seed !== null ? { mode: 'sample', sample_count: sampleCount, seed } : { mode: 'full' },
      max_charge_microusd: cap,
      execution: {
        epochs,
        max_attempts: maxAttempts,
        temperature: form.temperature,
        max_output_tokens: form.maxOutputTokens,
        concurrency: form.concurrency,
      },
    },
  }
}

function modelChoice(value: string | null): QuoteRequest['model'] | null {
  const [kind, ...rest] = value?.split(':') ?? []
  const id = rest.join(':')
  if (!id) return null
  return kind === 'connection' ? { kind: 'connection', connection_id: id } : { kind: 'managed', route_id: id }
}

/** Where each refused field of the request stands in the form. */
const fieldOfPath: Readonly<Record<string, QuoteField>> = {
  model: 'model',
  'selection.profile_ids': 'profileIds',
  'coverage.sample_count': 'sampleCount',
  'coverage.seed': 'seed',
  max_charge_microusd: 'capDollars',
  'execution.epochs': 'epochs',
  'execution.max_attempts': 'maxAttempts',
  'execution.temperature': 'temperature',
  'execution.max_output_tokens': 'maxOutputTokens',
  'execution.concurrency': 'concurrency',
}

/** The service's refusal, sorted to the fields that it is about. */
export function errorsOfRefusal({ detail }: ServiceError): FieldErrors {
  const errors: Partial<Record<QuoteField, string>> = {}
  for (const { loc, msg } of detail) {
    const path = loc.slice(1).join('.')
    const prefix = Object.keys(fieldOfPath).find(known => path === known || path.startsWith(`${known}.`))
    const field = prefix === undefined ? undefined : fieldOfPath[prefix]
    if (field) errors[field] ??= msg
  }
  return errors
}
