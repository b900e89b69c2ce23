import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Retention, RetentionEvent, RetentionKind, RetentionRule } from '../../contract/retention/retention.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { Notice } from '../ui/states/notice.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useRole } from '../workspace/use-role.ts'
import { WorkspaceTabs } from '../workspace/workspace-tabs.tsx'
import { RetentionDialog } from './retention-dialog.tsx'
import { retentionQuery } from './retention.queries.ts'
import { describeHold, describeRule, retentionWords } from './retention-words.ts'

/** What the workspace keeps for how long, and what was removed. */
export function RetentionPage() {
  const query = useQuery(retentionQuery)
  const [edited, setEdited] = useState<Retention | null>(null)
  const { mayAdminister } = useRole()
  return (
    <Page>
      <PageHeader
        title="Retention"
        description="Everything is kept unless a rule here says otherwise. Runs and their results are never removed by a rule."
        actions={<RequestMenu operation="listRetention" request={{}} />}
      />
      <WorkspaceTabs />
      <QueryView query={query} failure="Couldn’t load the retention rules">
        {({ items, events, held_until: held }) => (
          <>
            {held === null || items.every(rule => rule.max_age_days === null) ? null : (
              <Notice tone="warn" title="Removal by age is paused">
                {describeHold(held)}
              </Notice>
            )}
            <PlainTable
              label="Retention rules"
              columns={ruleColumns(mayAdminister ? setEdited : null)}
              rows={items}
              rowId={rule => rule.kind}
            />
            <Section title="History">
              {events.length === 0 ? (
                <EmptyState title="Nothing was changed or removed" />
              ) : (
                <PlainTable
                  label="Changes and removals"
                  columns={eventColumns}
                  rows={events}
                  rowId={event => `${event.at} ${event.kind}`}
                />
              )}
            </Section>
          </>
        )}
      </QueryView>
      {edited ? <RetentionDialog key={edited.kind} retention={edited} onClose={() => setEdited(null)} /> : null}
    </Page>
  )
}

const kindColumn: Column<{ readonly kind: RetentionKind }> = {
  id: 'kind',
  title: 'Kind',
  width: 190,
  rowHeader: true,
  cell: ({ kind }) => retentionWords[kind],
}

const ruleColumn: Column<RetentionRule> = { id: 'rule', title: 'Rule', width: 260, grow: true, cell: describeRule }

function ruleColumns(onEdit: ((retention: Retention) => void) | null): readonly Column<Retention>[] {
  return [
    kindColumn,
    ruleColumn,
    { id: 'items', title: 'Kept', width: 90, align: 'end', cell: ({ items }) => formatCount(items) },
    {
      id: 'oldest',
      title: 'Oldest',
      width: 130,
      cell: ({ oldest_at: at }) => (at === null ? <span className="quiet">–</span> : <RelativeTime at={at} />),
    },
    {
      id: 'change',
      title: 'Change',
      width: 100,
      cell: retention => (
        <Button
          variant="default"
          size="compact-sm"
          disabled={onEdit === null}
          aria-label={`Change the rule for ${retentionWords[retention.kind].toLowerCase()}`}
          onClick={() => onEdit?.(retention)}
        >
          Change
        </Button>
      ),
    },
  ]
}

const eventColumns: readonly Column<RetentionEvent>[] = [
  { id: 'at', title: 'When', width: 120, cell: ({ at }) => <RelativeTime at={at} /> },
  kindColumn,
  {
    id: 'event',
    title: 'Event',
    width: 150,
    cell: ({ event, items }) => (event === 'removed' ? `${formatCount(items)} removed` : 'Rule changed'),
  },
  ruleColumn,
  {
    id: 'by',
    title: 'By',
    width: 160,
    cell: ({ by }) => (by === null ? <span className="quiet">Assay</span> : <UntrustedText text={by} layout="prose" />),
  },
]
