import type { ComparabilityCheck, Comparison } from '../../contract/comparisons/comparisons.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { Section } from '../ui/page/page-header.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { checkStatuses } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { checkWords } from './compare-words.ts'

/** Whether the runs could be compared at all: everything that was looked at, and what differs. */
export function Comparability({ comparison: { checks, runs, tasks } }: { readonly comparison: Comparison }) {
  const labels = new Map(runs.map(run => [run.id, run.label]))
  const columns: readonly Column<ComparabilityCheck>[] = [
    { id: 'check', title: 'Check', width: 150, rowHeader: true, cell: check => checkWords[check.check] },
    { id: 'status', title: 'Status', width: 100, cell: check => <StatusBadge status={checkStatuses[check.status]} /> },
    ...(runs.length > 2
      ? [
          {
            id: 'contender',
            title: 'Run',
            width: 160,
            cell: (check: ComparabilityCheck) => <UntrustedText text={labels.get(check.contender_id) ?? ''} layout="prose" />,
          },
        ]
      : []),
    { id: 'detail', title: 'What was found', width: 320, grow: true, cell: check => <UntrustedText text={check.detail} layout="prose" /> },
  ]
  const cautions = checks.filter(check => check.status !== 'pass')
  const passed = checks.filter(check => check.status === 'pass')
  return (
    <Section title="Can they be compared?">
      <div className="row">
        <StatusBadge
          status={
            cautions.length === 0
              ? { word: 'Yes', tone: 'pass' }
              : { word: `Yes, with ${formatCount(cautions.length)} ${cautions.length === 1 ? 'caution' : 'cautions'}`, tone: 'warn' }
          }
        />
        <span className="num">
          {formatCount(tasks.common)} of {formatCount(tasks.total)} tasks have a score in every run
        </span>
      </div>
      {cautions.length > 0 ? <Checks label="Cautions" checks={cautions} columns={columns} /> : null}
      <details className="compare-checks">
        <summary>
          {formatCount(passed.length)} of {formatCount(checks.length)} checks passed
        </summary>
        <Checks label="Passed checks" checks={passed} columns={columns} />
      </details>
    </Section>
  )
}

interface ChecksProps {
  readonly label: string
  readonly checks: readonly ComparabilityCheck[]
  readonly columns: readonly Column<ComparabilityCheck>[]
}

function Checks({ label, checks, columns }: ChecksProps) {
  return (
    <PlainTable
      label={label}
      columns={columns}
      rows={checks}
      rowId={check => `${check.contender_id} ${check.check} ${check.profile_id ?? ''}`}
    />
  )
}
