import { useMemo } from 'react'
import { packageChecks, type PackageReview } from '../../contract/creator/packages.schemas.ts'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { oneOf } from '../ui/table/use-address.ts'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { ConcernedTasks, TaskIds } from './concerned-tasks.tsx'
import { checkWords, figuresText, outcomeStatuses } from './creator-words.ts'

type Check = Pick<PackageReview, 'check' | 'outcome' | 'figures' | 'detail' | 'task_ids'> & Partial<Pick<PackageReview, 'id'>>

const columnsOf = (packageId: string | null): readonly Column<Check>[] => [
  {
    id: 'check',
    title: 'Check',
    width: 176,
    rowHeader: true,
    cell: ({ check }) => {
      const known = oneOf(check, packageChecks)
      return known ? checkWords[known] : check
    },
  },
  { id: 'outcome', title: 'Outcome', width: 128, cell: ({ outcome }) => <StatusBadge status={outcomeStatuses[outcome]} /> },
  {
    id: 'detail',
    title: 'Finding',
    width: 280,
    grow: true,
    cell: ({ id, check, detail, task_ids }) => {
      const known = oneOf(check, packageChecks)
      return (
        <>
          <UntrustedText text={detail} layout="prose" />
          {task_ids.length === 0 ? null : packageId !== null && id !== undefined && known ? (
            <ConcernedTasks packageId={packageId} check={known} reviewId={id} ids={task_ids} />
          ) : (
            <TaskIds ids={task_ids} />
          )}
        </>
      )
    },
  },
  {
    id: 'figures',
    title: 'Figures',
    width: 240,
    cell: ({ figures }) => (
      <span className="quiet small">
        <UntrustedText text={figuresText(figures)} layout="prose" />
      </span>
    ),
  },
]

const severity: readonly Check['outcome'][] = ['fail', 'error', 'warn', 'pass', 'not_applicable']

/** Checks, the worst first, each with its figures and the tasks concerned. @param packageId null for a dry run, which stores nothing */
export function ChecksTable({ checks, packageId }: { readonly checks: readonly Check[]; readonly packageId: string | null }) {
  const columns = useMemo(() => columnsOf(packageId), [packageId])
  const place = ({ check, outcome }: Check) => severity.indexOf(outcome) * 100 + packageChecks.findIndex(one => one === check)
  const rows = [...checks].sort((a, b) => place(a) - place(b))
  return <PlainTable label="Checks" columns={columns} rows={rows} rowId={({ check, outcome }) => `${check} ${outcome}`} />
}
