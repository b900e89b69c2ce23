import type { Quote } from '../../contract/quotes/quotes.schemas.ts'
import { Section } from '../ui/page/page-header.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { checkStatuses } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { profileNames } from './profile-name.ts'

type Check = Quote['compatibility']['checks'][number]

const titles: Readonly<Record<Check['check'], string>> = {
  model_available: 'Model available',
  model_capabilities: 'Model capabilities',
  input_limit: 'Input fits',
  output_limit: 'Output fits',
  task_availability: 'Tasks available',
  permissions: 'Permissions',
  resources: 'Resources',
  credit: 'Credit',
}

const order: Readonly<Record<Check['status'], number>> = { fail: 0, warn: 1, pass: 2 }

const columns = (nameOf: (profileId: string) => string): readonly Column<Check>[] => [
  { id: 'status', title: 'Outcome', width: 96, cell: check => <StatusBadge status={checkStatuses[check.status]} /> },
  { id: 'check', title: 'Check', width: 150, rowHeader: true, cell: check => titles[check.check] },
  {
    id: 'profile',
    title: 'Profile',
    width: 190,
    cell: check => (check.profile_id ? <UntrustedText text={nameOf(check.profile_id)} layout="prose" /> : 'all'),
  },
  { id: 'detail', title: 'What was found', width: 240, grow: true, cell: check => <UntrustedText text={check.detail} layout="prose" /> },
]

/** All checks, failures first. */
export function QuoteChecks({ quote: { compatibility, profiles } }: { readonly quote: Quote }) {
  const { checks } = compatibility
  const nameOf = profileNames(profiles)
  const passed = checks.filter(check => check.status === 'pass')
  const problems = checks.filter(check => check.status !== 'pass').toSorted((a, b) => order[a.status] - order[b.status])
  const failed = checks.filter(check => check.status === 'fail').length
  return (
    <Section
      title="Compatibility"
      aside={
        compatibility.status === 'compatible' ? (
          <StatusBadge status={{ word: 'Compatible', tone: 'pass' }} />
        ) : (
          <StatusBadge status={{ word: `Incompatible: ${failed} of ${checks.length} checks failed`, tone: 'fail' }} />
        )
      }
    >
      {problems.length > 0 ? <Checks label="Failed checks and warnings" checks={problems} nameOf={nameOf} /> : null}
      <details className="quotes-passed">
        <summary>
          {passed.length} of {checks.length} checks passed
        </summary>
        <Checks label="Passed checks" checks={passed} nameOf={nameOf} />
      </details>
    </Section>
  )
}

interface ChecksProps {
  readonly label: string
  readonly checks: readonly Check[]
  readonly nameOf: (profileId: string) => string
}

function Checks({ label, checks, nameOf }: ChecksProps) {
  return (
    <PlainTable
      label={label}
      columns={columns(nameOf)}
      rows={checks}
      rowId={check => `${check.check} ${check.profile_id ?? ''} ${check.detail}`}
    />
  )
}
