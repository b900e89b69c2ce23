import { useState } from 'react'
import type { Effort } from '../../contract/catalog/models.schemas.ts'
import type { TuneCall } from '../../contract/tuning/draft.schemas.ts'
import type { NewTuneQuote, TuneCandidate, TuneQuote } from '../../contract/tuning/quotes.schemas.ts'
import { readDollars, typedDollars } from '../ui/forms/dollars.ts'
import { modelOf, valueOf } from '../quotes/model-value.ts'

export interface TypedCandidate {
  readonly key: string
  readonly label: string
  /** Of the model choice: `managed:<route id>` or `connection:<connection id>`. */
  readonly model: string | null
  readonly effort: Effort | null
  /** Empty: the prompt of the call. */
  readonly template: string
}

export interface TypedTerms {
  readonly candidates: readonly TypedCandidate[]
  readonly mode: 'race' | 'full'
  readonly dollars: string
  /** Empty: no limit. */
  readonly billedDollars: string
  readonly search: TypedSearch
}

/** A prompt search as it is typed. */
export interface TypedSearch {
  readonly isOn: boolean
  /** Of the model choice. */
  readonly model: string | null
  /** Of the cases, in percent. */
  readonly trainPercent: number
  readonly maxCalls: number
}

const noSearch: TypedSearch = { isOn: false, model: null, trainPercent: 40, maxCalls: 500 }

export const mostCandidates = 12

export function emptyCandidate(): TypedCandidate {
  return { key: crypto.randomUUID(), label: '', model: null, effort: null, template: '' }
}

/** The form of a run group, filled from an earlier quote where there is one. */
export function useGroupTerms(earlier?: TuneQuote) {
  return useState<TypedTerms>(() =>
    earlier ? typedFrom(earlier) : { candidates: [emptyCandidate()], mode: 'race', dollars: '0', billedDollars: '', search: noSearch },
  )
}

function typedFrom({
  arms,
  mode,
  max_charge_microusd: cap,
  max_provider_billed_microusd: billed,
  optimize,
  status,
}: TuneQuote): TypedTerms {
  return {
    candidates: arms
      .filter(({ current }) => !current)
      .map(({ label, model, effort, prompt }) => ({
        key: crypto.randomUUID(),
        label,
        model: model.connection_id === null ? `managed:${model.route_id ?? ''}` : `connection:${model.connection_id}`,
        effort,
        template: prompt?.prompt_template ?? '',
      })),
    mode,
    dollars: typedDollars(cap),
    billedDollars: billed === null ? '' : typedDollars(billed),
    // After a search its prompts are candidates.
    search:
      optimize && status !== 'used'
        ? {
            isOn: true,
            model: valueOf(optimize.reflection_model),
            trainPercent: Math.round(100 * optimize.train_share),
            maxCalls: optimize.max_calls,
          }
        : noSearch,
  }
}

/** The terms of an earlier quote, to be quoted again. */
export function termsAgain(quote: TuneQuote, call: TuneCall | null): NewTuneQuote | string {
  return termsOf(typedFrom(quote), call)
}

/** Providers bill without a limit where none is set. */
export const billedRules = { empty: 'No limit' } as const

/** What is sent, or what is missing in words. */
export function termsOf({ candidates, mode, dollars, billedDollars, search }: TypedTerms, call: TuneCall | null): NewTuneQuote | string {
  const found: TuneCandidate[] = []
  for (const [i, { label, model, effort, template }] of candidates.entries()) {
    const chosen = model === null ? null : modelOf(model)
    if (label.trim() === '') return `Enter a label for candidate ${i + 1}.`
    if (chosen === null) return `Choose a model for candidate ${i + 1}.`
    found.push({
      label: label.trim(),
      model: chosen,
      effort,
      ...(template !== '' && { prompt: { system_prompt: call?.system_prompt ?? null, prompt_template: template } }),
    })
  }
  const [cap, billed] = [readDollars(dollars), readDollars(billedDollars, billedRules)]
  if (cap.amount === null) return `Spending limit: ${cap.error ?? ''}.`
  if (billed.error !== null) return `Provider spending limit: ${billed.error}.`
  const reflection = search.model === null ? null : modelOf(search.model)
  if (search.isOn && reflection === null) return 'Choose the model that proposes prompts.'
  return {
    candidates: found,
    mode,
    max_charge_microusd: cap.amount,
    ...(billed.amount !== null && { max_provider_billed_microusd: billed.amount }),
    ...(search.isOn &&
      reflection && {
        optimize: {
          reflection_model: reflection,
          reflection_effort: null,
          train_share: search.trainPercent / 100,
          max_calls: search.maxCalls,
        },
      }),
  }
}
