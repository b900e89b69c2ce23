import { queryOptions } from '@tanstack/react-query'
import type { RetentionKind, RetentionRule } from '../../contract/retention/retention.schemas.ts'
import { definedOf } from '../../lib/defined-of.ts'
import { everything, useChange } from '../api/changes.ts'
import { call } from '../api/client.ts'

export const retentionQuery = queryOptions({
  queryKey: ['retention', 'rules'],
  queryFn: ({ signal }) => call('listRetention', {}, { signal }),
  // A rule removes in the background.
  refetchInterval: 5_000,
})

/** What a rule would remove now. */
export const retentionPreviewQuery = (kind: RetentionKind, { max_age_days: days, max_items: most }: RetentionRule) =>
  queryOptions({
    queryKey: ['retention', 'preview', kind, days, most],
    queryFn: ({ signal }) =>
      call(
        'previewRetention',
        { query: { kind, ...definedOf({ max_age_days: days ?? undefined, max_items: most ?? undefined }) } },
        { signal },
      ),
    staleTime: 0,
  })

export const useChangeRetention = () =>
  useChange((body: RetentionRule & { readonly kind: RetentionKind }) => call('changeRetention', { body }), everything)
