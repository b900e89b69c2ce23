import type { Rates } from '../../contract/catalog/models.schemas.ts'

/** Rates of kinds of tokens: the contract's field, the form's, and what a person reads. */
export const partRates = [
  { rate: 'cached_input_microusd_per_million', field: 'cached_input_dollars', label: 'Cached input', side: 'input' },
  { rate: 'cache_write_microusd_per_million', field: 'cache_write_dollars', label: 'Cache write', side: 'input' },
  { rate: 'reasoning_microusd_per_million', field: 'reasoning_dollars', label: 'Reasoning', side: 'output' },
  { rate: 'image_input_microusd_per_million', field: 'image_input_dollars', label: 'Image input', side: 'input' },
  { rate: 'audio_input_microusd_per_million', field: 'audio_input_dollars', label: 'Audio input', side: 'input' },
  { rate: 'audio_output_microusd_per_million', field: 'audio_output_dollars', label: 'Audio output', side: 'output' },
] as const satisfies readonly { readonly rate: keyof Rates; readonly field: string; readonly label: string; readonly side: string }[]

export type PartRateField = (typeof partRates)[number]['field']
/** As typed; empty: the rate of its side. */
export type PartRateForm = Readonly<Record<PartRateField, string>>

export function partRateForm(typed: (rate: (typeof partRates)[number]['rate']) => string): PartRateForm {
  const of = (field: PartRateField) => typed(partRates.find(part => part.field === field)?.rate ?? 'cached_input_microusd_per_million')
  return {
    cached_input_dollars: of('cached_input_dollars'),
    cache_write_dollars: of('cache_write_dollars'),
    reasoning_dollars: of('reasoning_dollars'),
    image_input_dollars: of('image_input_dollars'),
    audio_input_dollars: of('audio_input_dollars'),
    audio_output_dollars: of('audio_output_dollars'),
  }
}

export const emptyPartRates: PartRateForm = partRateForm(() => '')
