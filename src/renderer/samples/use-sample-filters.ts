import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { sampleStates } from '../../contract/runs/run.machine.ts'
import { sampleGroups, sampleSorts, sampleVerdicts } from '../../contract/runs/samples.schemas.ts'
import { formatSort, parseSort } from '../ui/table/sort.ts'
import { oneOf } from '../ui/table/use-address.ts'
import { parsePart } from './breakdown-part.ts'
import { passedOptions } from './passed-options.ts'
import type { SampleFilters } from './samples.queries.ts'

/** Filters and order as the address names them: the same object until one of them changes, whichever sample is opened. */
export function useSampleFilters(): SampleFilters {
  const [params] = useSearchParams()
  const narrowing = new URLSearchParams(params)
  narrowing.delete('open')
  const text = narrowing.toString()
  return useMemo(() => filtersIn(new URLSearchParams(text)), [text])
}

/** @param params may be hand-edited */
export function filtersIn(params: URLSearchParams): SampleFilters {
  const get = (name: string): string => params.get(name) ?? ''
  const part = parsePart(get('part'))
  return {
    status: oneOf(get('status'), sampleStates),
    passed: oneOf(
      get('passed'),
      passedOptions.map(option => option.value),
    ),
    profile: get('profile') || undefined,
    q: get('q'),
    match: get('q') === '' ? undefined : oneOf(get('match'), ['exact']),
    sort: oneOf(formatSort(parseSort(get('sort'))) ?? '', sampleSorts),
    outcome: oneOf(get('outcome'), sampleVerdicts),
    error: get('error') || undefined,
    group: oneOf(get('group'), sampleGroups),
    group_code: get('group') === 'unscored' ? get('group_code') || undefined : undefined,
    capability: get('capability') || undefined,
    breakdown: part?.dimension,
    breakdown_value: part?.value,
    tag: get('tag') || undefined,
    bookmarked: oneOf(get('bookmarked'), ['true', 'false']),
    noted: oneOf(get('noted'), ['true', 'false']),
    position_from: placeIn(get('from')),
    position_to: placeIn(get('to')),
    latency_min: amountIn(get('latency_min')),
    latency_max: amountIn(get('latency_max')),
    output_tokens_min: amountIn(get('tokens_min')),
    output_tokens_max: amountIn(get('tokens_max')),
  }
}

function amountIn(text: string): number | undefined {
  const amount = text === '' ? Number.NaN : Number(text)
  return Number.isInteger(amount) && amount >= 0 ? amount : undefined
}

/** Places are counted from 1 where people read them. */
function placeIn(text: string): number | undefined {
  const place = amountIn(text)
  return place === undefined || place === 0 ? undefined : place - 1
}
