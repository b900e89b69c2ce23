import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'react-router'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import type { Sample } from '../../contract/runs/samples.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { samplesColumns } from '../samples/samples-columns.tsx'
import { latestSamplesQuery } from '../samples/samples.queries.ts'
import { Section } from '../ui/page/page-header.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

const shown = ['verdict', 'answer', 'output', 'latency']

/** The scored samples that are furthest into the run: samples run in order, so these are the most recent. */
export function LatestSamples({ run }: { readonly run: Run }) {
  const query = useQuery(latestSamplesQuery(run.id))
  const { profiles, coverage } = run
  // Counts move while a run works; the columns only depend on what was frozen.
  // oxlint-disable-next-line react/exhaustive-deps
  const columns = useMemo(() => latestColumns(run), [profiles, coverage])
  return (
    <Section title="Samples as they land">
      <QueryView query={query} failure="Couldn’t load the samples">
        {page => (
          <div className="runs-latest">
            {page.items.length === 0 ? (
              <p className="quiet runs-note">None is scored yet.</p>
            ) : (
              <PlainTable label="Samples as they land" columns={columns} rows={page.items} rowId={sample => sample.id} />
            )}
          </div>
        )}
      </QueryView>
    </Section>
  )
}

function latestColumns(run: Run): readonly Column<Sample>[] {
  return [
    { id: 'position', title: '#', width: 64, align: 'end', cell: sample => formatCount(sample.position + 1) },
    {
      id: 'task',
      title: 'Task',
      width: 130,
      rowHeader: true,
      cell: sample => (
        <Anchor component={Link} to={`/runs/${run.id}/samples/${sample.id}`} fz="inherit">
          <UntrustedText text={sample.task_id} layout="inline" />
        </Anchor>
      ),
    },
    ...samplesColumns(run).filter(({ id }) => shown.includes(id)),
  ]
}
