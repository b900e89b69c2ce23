import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { failureLabel } from '../../contract/runs/failure-labels.ts'
import type { Results } from '../../contract/runs/results.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

type ErrorLine = Results['errors'][number]

/** Why samples have no score, by code, with the way to one of each and to all of them. */
export function Errors({ results }: { readonly results: Results }) {
  const samples = `/runs/${results.run_id}/samples`
  if (results.errors.length === 0) return <p className="quiet results-note">No sample failed.</p>
  const columns: readonly Column<ErrorLine>[] = [
    { id: 'code', title: 'Error', width: 130, rowHeader: true, cell: error => failureLabel(error.code) },
    { id: 'message', title: 'What happened', width: 160, grow: true, cell: error => <UntrustedText text={error.message} layout="prose" /> },
    { id: 'count', title: 'Samples', width: 70, align: 'end', cell: error => formatCount(error.count) },
    {
      id: 'first',
      title: 'First',
      width: 60,
      cell: error => (
        <Anchor
          component={Link}
          to={`${samples}/${error.sample_id}`}
          fz="inherit"
          aria-label={`Open the first sample: ${failureLabel(error.code)}`}
        >
          Open
        </Anchor>
      ),
    },
  ]
  return (
    <>
      <PlainTable label="Errors by code" columns={columns} rows={results.errors} rowId={error => `${error.code} ${error.message}`} />
      <Anchor component={Link} to={`${samples}?status=failed`} fz="xs">
        All failed samples
      </Anchor>
    </>
  )
}
