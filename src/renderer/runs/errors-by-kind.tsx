import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { failureCodes } from '../../contract/runs/failure-codes.ts'
import { failureLabel } from '../../contract/runs/failure-labels.ts'
import type { Run, RunProgress } from '../../contract/runs/runs.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { Section } from '../ui/page/page-header.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'

type Failure = RunProgress['failures'][number]

const meanings = new Map<string, string>(Object.entries(failureCodes).map(([code, { meaning }]) => [code, meaning]))

const columns: readonly Column<Failure>[] = [
  { id: 'code', title: 'Error', width: 150, rowHeader: true, cell: ({ code }) => failureLabel(code) },
  { id: 'meaning', title: 'What it means', width: 180, grow: true, cell: ({ code }) => meanings.get(code) ?? '' },
  { id: 'count', title: 'Samples', width: 80, align: 'end', cell: ({ count }) => formatCount(count) },
]

/** Samples that failed for good, by code; retries that helped are not among them. */
export function ErrorsByKind({ run }: { readonly run: Run }) {
  const { failures } = run.progress
  return (
    <Section title="Errors by kind">
      {failures.length === 0 ? (
        <p className="quiet runs-note">No sample has failed.</p>
      ) : (
        <>
          <PlainTable label="Errors by kind" columns={columns} rows={failures} rowId={({ code }) => code} />
          <Anchor component={Link} to={`/runs/${run.id}/samples?status=failed`} fz="xs">
            All failed samples
          </Anchor>
        </>
      )}
    </Section>
  )
}
