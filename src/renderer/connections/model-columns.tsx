import { formatCount, noNumber } from '../../lib/format/numbers.ts'
import type { Column } from '../ui/table/column.ts'
import { Money } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { kindWords, type Model } from './models.ts'

export const modelColumns: readonly Column<Model>[] = [
  {
    id: 'title',
    title: 'Name',
    width: 180,
    grow: true,
    rowHeader: true,
    sortValue: model => model.title,
    cell: model => <UntrustedText text={model.title} layout="prose" />,
  },
  {
    id: 'status',
    title: 'Status',
    width: 112,
    sortValue: model => model.status.word,
    cell: model => <StatusBadge status={model.status} />,
  },
  { id: 'kind', title: 'Kind', width: 148, sortValue: model => kindWords[model.kind], cell: model => kindWords[model.kind] },
  {
    id: 'model',
    title: 'Model',
    width: 150,
    sortValue: model => model.model,
    cell: model => <UntrustedText text={model.model} layout="inline" />,
  },
  {
    id: 'where',
    title: 'Provider or address',
    width: 190,
    sortValue: model => model.where,
    cell: model => <UntrustedText text={model.where} layout="inline" />,
  },
  {
    id: 'input',
    title: 'In, per million',
    width: 104,
    align: 'end',
    sortValue: model => (model.rates ? Number(model.rates.input_microusd_per_million) : null),
    cell: model => <Money microUsd={model.rates?.input_microusd_per_million ?? null} decimals={2} />,
  },
  {
    id: 'output',
    title: 'Out, per million',
    width: 108,
    align: 'end',
    sortValue: model => (model.rates ? Number(model.rates.output_microusd_per_million) : null),
    cell: model => <Money microUsd={model.rates?.output_microusd_per_million ?? null} decimals={2} />,
  },
  {
    id: 'context',
    title: 'Context tokens',
    width: 110,
    align: 'end',
    hiddenAtFirst: true,
    sortValue: model => model.contextTokens,
    cell: model => (model.contextTokens === null ? noNumber : formatCount(model.contextTokens)),
  },
]
