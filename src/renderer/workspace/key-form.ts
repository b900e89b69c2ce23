import type { ServiceError } from '../../contract/client.ts'
import type { NewApiKeyBody } from '../../contract/keys/keys.schemas.ts'
import { type Scope, scopes } from '../../contract/scopes.ts'
import { readDollars } from '../ui/forms/dollars.ts'

/** What the form for a new key holds: text as typed. */
export interface KeyForm {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly lifetime: Lifetime
  /** A date as a date field gives it, `2026-12-31`; only read where `lifetime` is `date`. */
  readonly lastDay: string
  readonly limited: boolean
  readonly ceilingDollars: string
  /** Empty: no ceiling. */
  readonly providerCeilingDollars: string
  /** Separated by commas or spaces; only read where the key is for workers. */
  readonly workerLabels: string
}

export const lifetimes = ['30', '90', '365', 'date', 'never'] as const
export type Lifetime = (typeof lifetimes)[number]

export type KeyErrors = Partial<
  Record<'name' | 'scopes' | 'lastDay' | 'ceilingDollars' | 'providerCeilingDollars' | 'workerLabels', string>
>

export const emptyKeyForm: KeyForm = {
  name: '',
  scopes: [],
  lifetime: '90',
  lastDay: '',
  limited: true,
  ceilingDollars: '0',
  providerCeilingDollars: '',
  workerLabels: 'code, model.*',
}

/** Only an owner grants labels, and only workers use them. */
export function grantsLabels({ scopes: chosen }: KeyForm, isOwner: boolean): boolean {
  return isOwner && chosen.includes('workers:run')
}

/** A key without a limit may spend what its wallet and the providers allow. */
export const ceilingRules = { empty: 'No limit' } as const

/** @param wanted scopes of a link that knows what its key is for, comma separated; what is not a scope is left out */
export function keyFormFor(wanted: string): KeyForm {
  const named = wanted.split(',')
  const only = scopes.filter(scope => named.includes(scope))
  return only.length === 0 ? emptyKeyForm : { ...emptyKeyForm, scopes: only }
}

const day = 24 * 60 * 60 * 1000

/**
 * The key to ask for, or what is wrong by field.
 *
 * @param now Milliseconds since 1970.
 * @param maySpend Whether the asker may set a ceiling; without, none is sent.
 * @param isOwner Whether the asker may grant labels to workers; without, none are.
 */
export function keyOfForm(
  form: KeyForm,
  now: number,
  maySpend: boolean,
  isOwner = maySpend,
): { readonly body: NewApiKeyBody } | { readonly errors: KeyErrors } {
  const expires = expiry(form, now)
  const ceiling = form.limited ? readDollars(form.ceilingDollars) : { amount: null, error: null }
  const providerCeiling = readDollars(form.providerCeilingDollars, ceilingRules)
  const errors: KeyErrors = {
    ...(form.name.trim() === '' ? { name: 'Give it a name that says who uses it' } : {}),
    ...(form.scopes.length === 0 ? { scopes: 'Choose at least one scope' } : {}),
    ...(expires === undefined ? { lastDay: 'Choose a day from today on' } : {}),
    ...(ceiling.error === null ? {} : { ceilingDollars: ceiling.error }),
    ...(providerCeiling.error === null ? {} : { providerCeilingDollars: providerCeiling.error }),
  }
  if (expires === undefined || Object.keys(errors).length > 0) return { errors }
  return {
    body: {
      name: form.name.trim(),
      scopes: [...form.scopes],
      expires_at: expires,
      worker_labels: grantsLabels(form, isOwner) ? form.workerLabels.split(/[\s,]+/).filter(Boolean) : [],
      ...(maySpend ? { ceiling_microusd: ceiling.amount, provider_ceiling_microusd: providerCeiling.amount } : {}),
    },
  }
}

/** RFC 3339 in UTC, null for never, undefined where the day cannot be read or is over. The last day counts to its end in UTC. */
function expiry({ lifetime, lastDay }: KeyForm, now: number): string | null | undefined {
  if (lifetime === 'never') return null
  if (lifetime !== 'date') return new Date(now + Number(lifetime) * day).toISOString()
  const start = /^\d{4}-\d\d-\d\d$/.test(lastDay) ? Date.parse(`${lastDay}T00:00:00.000Z`) : Number.NaN
  const end = start + day
  return Number.isFinite(end) && end > now ? new Date(end).toISOString() : undefined
}

/** Which fields the service refused, in its words. */
export function refusedKeyFields(error: ServiceError): KeyErrors {
  const fields: Readonly<Record<string, keyof KeyErrors>> = {
    name: 'name',
    scopes: 'scopes',
    expires_at: 'lastDay',
    ceiling_microusd: 'ceilingDollars',
    provider_ceiling_microusd: 'providerCeilingDollars',
    worker_labels: 'workerLabels',
  }
  return Object.fromEntries(error.detail.flatMap(({ loc, msg }) => (fields[String(loc[1])] ? [[fields[String(loc[1])], msg]] : [])))
}
