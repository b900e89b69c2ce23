import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Evaluation } from '../../contract/evaluations/evaluations.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { suiteQuery } from '../suites/suites.queries.ts'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

const columns: readonly Column<Evaluation['sources'][number]>[] = [
  {
    id: 'profile',
    title: 'Benchmark',
    width: 260,
    grow: true,
    rowHeader: true,
    cell: source => <UntrustedText text={source.title} layout="prose" />,
  },
  { id: 'ref', title: 'Identity', width: 340, cell: source => <UntrustedText text={source.source_ref} layout="inline" /> },
  { id: 'split', title: 'Split', width: 90, cell: source => source.split },
  { id: 'tasks', title: 'Tasks', width: 80, align: 'end', cell: source => formatCount(source.tasks) },
]

/** Sources and profiles of the tasks. Identities are resolved, never aliases. */
export function WhatIsAsked({ evaluation }: { readonly evaluation: Evaluation }) {
  return (
    <>
      {evaluation.suite_version_id === null ? null : <OfSuite id={evaluation.suite_version_id} />}
      <PlainTable
        label="Sources of the evaluation"
        columns={columns}
        rows={evaluation.sources}
        rowId={source => `${source.source_ref} ${source.split}`}
      />
    </>
  )
}

function OfSuite({ id }: { readonly id: string }) {
  const suite = useQuery(suiteQuery(id))
  return (
    <p style={{ marginTop: 0 }}>
      From the suite{' '}
      <Anchor component={Link} to={`/suites/${id}`} fz="inherit" underline="always">
        {suite.data ? <UntrustedText text={`${suite.data.name}, version ${suite.data.version}`} layout="prose" /> : id}
      </Anchor>
      .
    </p>
  )
}
