import type { ApiKey } from '../../contract/keys/keys.schemas.ts'
import type { Column } from '../ui/table/column.ts'
import { Money, RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { keyStatus, scopesInShort } from './key-words.ts'

export const keyColumns: readonly Column<ApiKey>[] = [
  {
    id: 'name',
    title: 'Name',
    width: 160,
    grow: true,
    rowHeader: true,
    sortValue: key => key.name,
    cell: key => <UntrustedText text={key.name} layout="prose" />,
  },
  {
    id: 'status',
    title: 'Status',
    width: 108,
    sortValue: key => keyStatus(key).word,
    cell: key => <StatusBadge status={keyStatus(key)} />,
  },
  { id: 'prefix', title: 'Begins with', width: 112, cell: key => <span className="mono">{key.prefix}…</span> },
  { id: 'scopes', title: 'Scopes', width: 110, sortValue: key => key.scopes.length, cell: key => scopesInShort(key.scopes) },
  {
    id: 'used',
    title: 'Last used',
    width: 118,
    sortValue: key => time(key.last_used_at),
    cell: key => (key.last_used_at === null ? <span className="quiet">never</span> : <RelativeTime at={key.last_used_at} />),
  },
  {
    id: 'spent',
    title: 'Spent',
    width: 84,
    align: 'end',
    sortValue: key => Number(key.spent_microusd),
    cell: key => <Money microUsd={key.spent_microusd} />,
  },
  {
    id: 'ceiling',
    title: 'Spending limit',
    width: 108,
    align: 'end',
    sortValue: key => (key.ceiling_microusd === null ? null : Number(key.ceiling_microusd)),
    cell: key => (key.ceiling_microusd === null ? <span className="quiet">none</span> : <Money microUsd={key.ceiling_microusd} />),
  },
  {
    id: 'ends',
    title: 'Expires',
    width: 112,
    sortValue: key => time(key.stops_at ?? key.expires_at),
    cell: key => {
      const ends = key.stops_at ?? key.expires_at
      return ends === null ? <span className="quiet">never</span> : <RelativeTime at={ends} />
    },
  },
  {
    id: 'created',
    title: 'Created',
    width: 112,
    hiddenAtFirst: true,
    sortValue: key => time(key.created_at),
    cell: key => <RelativeTime at={key.created_at} />,
  },
]

function time(timestamp: string | null): number | null {
  return timestamp === null ? null : Date.parse(timestamp)
}
