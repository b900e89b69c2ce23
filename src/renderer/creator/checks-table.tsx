import { type PackageReview, packageChecks } from '../../contract/index.ts'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { oneOf } from '../ui/table/use-address.ts'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { checkWords, figuresText, outcomeStatuses } from './creator-words.ts'

type Check = Pick<PackageReview, 'check' | 'outcome' | 'figures' | 'detail' | 'task_ids'>

const columns: readonly Column<Check>[] = [
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
    cell: ({ detail, task_ids }) => (
      <>
        <UntrustedText text={detail} layout="prose" />
        {task_ids.length > 0 ? <ConcernedTasks ids={task_ids} /> : null}
      </>
    ),
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

/** Checks, the worst first, each with its figures and the tasks concerned. */
export function ChecksTable({ checks }: { readonly checks: readonly Check[] }) {
  const place = ({ check, outcome }: Check) => severity.indexOf(outcome) * 100 + packageChecks.findIndex(one => one === check)
  const rows = [...checks].sort((a, b) => place(a) - place(b))
  return <PlainTable label="Checks" columns={columns} rows={rows} rowId={({ check, outcome }) => `${check} ${outcome}`} />
}

/** The service lists the first 20. */
function ConcernedTasks({ ids }: { readonly ids: readonly string[] }) {
  return (
    <details>
      <summary className="small">
        {ids.length === 20 ? 'First 20 tasks' : `${ids.length} ${ids.length === 1 ? 'task' : 'tasks'}`} with this finding
      </summary>
      <ul className="concerned-tasks">
        {ids.map(id => (
          <li key={id} className="mono">
            <UntrustedText text={id} layout="inline" />
          </li>
        ))}
      </ul>
    </details>
  )
}
