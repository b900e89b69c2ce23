import { ExecutionSettings, type Quote, type QuoteRequest } from '../../contract/quotes/quotes.schemas.ts'
import { readDollars, typedDollars } from '../ui/forms/dollars.ts'

/** Execution settings while they are filled in: a number that is being typed may be absent for a moment. */
export type ExecutionDraft = Omit<
  ExecutionSettings,
  'epochs' | 'max_attempts' | 'max_provider_billed_microusd' | 'throttle_patience_ms'
> & {
  readonly epochs: number | null
  readonly max_attempts: number | null
  readonly throttle_patience_ms: number | null
}

/** What the form holds while it is filled in. */
export interface QuoteForm {
  /** `managed:<route id>` or `connection:<connection id>`. */
  readonly model: string | null
  readonly profileIds: readonly string[]
  readonly mode: 'sample' | 'full'
  readonly sampleCount: number | null
  readonly seed: number | null
  /** As typed. */
  readonly capDollars: string
  /** As typed; empty for none. Only connections have a provider that bills by itself. */
  readonly providerCapDollars: string
  readonly execution: ExecutionDraft
}

/** What is wrong, by field of the form, or `execution.<setting>`. */
export type FieldErrors = Readonly<Record<string, string>>

export const emptyForm: QuoteForm = {
  model: null,
  profileIds: [],
  mode: 'sample',
  sampleCount: 200,
  seed: 1,
  capDollars: '1.00',
  providerCapDollars: '',
  execution: ExecutionSettings.parse({}),
}

/** Whether a setting is another than the default; the prompt has fields of its own. */
export function hasChangedSettings({ system_prompt: _s, prompt_template: _t, stop: _e, ...settings }: ExecutionDraft): boolean {
  const defaults = new Map<string, unknown>(Object.entries(emptyForm.execution))
  return Object.entries(settings).some(([name, value]) => JSON.stringify(value) !== JSON.stringify(defaults.get(name)))
}

/** The form that a quote came from, so that a selection can be changed or quoted again from any saved quote. */
export function formOfQuote({ model, profiles, coverage, cost, execution }: Quote): QuoteForm {
  const { max_provider_billed_microusd: providerCap, ...draft } = execution
  return {
    model: model.kind === 'managed' ? `managed:${model.route_id ?? ''}` : `connection:${model.connection_id ?? ''}`,
    profileIds: profiles.map(profile => profile.profile_id),
    // The form has no place for tasks named one by one; those come from an evaluation, not from here.
    mode: coverage.mode === 'sample' ? 'sample' : 'full',
    sampleCount: coverage.sample_count ?? emptyForm.sampleCount,
    seed: coverage.seed ?? emptyForm.seed,
    capDollars: typedDollars(cost.max_charge_microusd),
    providerCapDollars: providerCap === null ? '' : typedDollars(providerCap),
    execution: draft,
  }
}

export type FormOutcome = { readonly request: QuoteRequest } | { readonly errors: FieldErrors }

/** Providers bill without a limit where none is set. */
export const providerCapRules = { empty: 'No limit' } as const

/** The request that the form asks for, or what is missing. Bounds are the service's to check: it knows them. */
export function requestOfForm(form: QuoteForm): FormOutcome {
  const model = modelChoice(form.model)
  const cap = readDollars(form.capDollars)
  const { epochs, max_attempts, throttle_patience_ms } = form.execution
  const providerCap = readDollars(model?.kind === 'connection' ? form.providerCapDollars : '', providerCapRules)
  const errors: Record<string, string> = {}
  if (!model) errors['model'] = 'Choose a model.'
  if (form.profileIds.length === 0) errors['profileIds'] = 'Choose at least one profile.'
  if (form.mode === 'sample') {
    requireWhole(errors, 'sampleCount', 'Tasks per profile', form.sampleCount, 1)
    requireWhole(errors, 'seed', 'Seed', form.seed, 0)
  }
  requireWhole(errors, 'execution.epochs', 'Epochs', epochs, 1)
  requireWhole(errors, 'execution.max_attempts', 'Attempts', max_attempts, 1)
  if (throttle_patience_ms === null) errors['execution.throttle_patience_ms'] = 'Throttling patience: give a number of minutes.'
  if (cap.error !== null) errors['capDollars'] = `Spending limit: ${cap.error}.`
  if (providerCap.error !== null) errors['providerCapDollars'] = `Provider spending limit: ${providerCap.error}.`
  if (!model || cap.amount === null || epochs === null || max_attempts === null || throttle_patience_ms === null) return { errors }
  if (Object.keys(errors).length > 0) return { errors }
  return {
    request: {
      model,
      selection: { profile_ids: [...form.profileIds] },
      coverage: coverageOf(form),
      max_charge_microusd: cap.amount,
      execution: { ...form.execution, epochs, max_attempts, throttle_patience_ms, max_provider_billed_microusd: providerCap.amount },
    },
  }
}

/** Names the field, because the page lists what is missing away from it. */
function requireWhole(errors: Record<string, string>, field: string, label: string, value: number | null, least: number): void {
  if (value === null) errors[field] = `${label}: give a whole number of ${least} or more.`
  else if (value < least) errors[field] = `${label}: ${value} is below ${least}. Give ${least} or more.`
}

function coverageOf({ mode, sampleCount, seed }: QuoteForm): QuoteRequest['coverage'] {
  return mode === 'sample' && sampleCount !== null && seed !== null ? { mode, sample_count: sampleCount, seed } : { mode: 'full' }
}

export function modelChoice(value: string | null): QuoteRequest['model'] | null {
  const [kind, ...rest] = value?.split(':') ?? []
  const id = rest.join(':')
  if (!id) return null
  return kind === 'connection' ? { kind: 'connection', connection_id: id } : { kind: 'managed', route_id: id }
}
