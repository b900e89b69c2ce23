import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { type LabelTable, labelTables } from '../../contract/runs/label-table.ts'
import type { Results } from '../../contract/runs/results.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatScore } from '../../lib/format/percent.ts'
import { profileNames } from '../quotes/profile-name.ts'
import { partAddress } from '../samples/breakdown-part.ts'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

type LabelRow = LabelTable['rows'][number]

/** How often each label was given, overall and by group; nothing where no metric gives labels. */
export function LabelShares({ results, latest }: { readonly results: Results; readonly latest: boolean }) {
  const tables = labelTables(results)
  if (tables.length === 0) return null
  const nameOf = profileNames(results.reproducibility.profiles)
  return (
    <>
      {tables.map(({ profileId, metric, labels, rows }) => {
        const found = results.metrics.find(one => one.profile_id === profileId && one.metric === metric)
        const title = `Labels of ${found?.title ?? metric}${results.reproducibility.profiles.length > 1 ? `, ${nameOf(profileId)}` : ''}`
        return (
          <div key={`${profileId} ${metric}`}>
            <p className="results-chart-title">
              <UntrustedText text={title} layout="prose" />
            </p>
            <PlainTable
              label={title}
              columns={columnsOf(labels, ({ group }) => (latest && group ? partAddress(results.run_id, profileId, group) : undefined))}
              rows={rows}
              rowId={({ group }) => JSON.stringify(group)}
            />
          </div>
        )
      })}
      <p className="quiet small prose results-note">Shares of tasks with a label, each with its 95 % interval.</p>
    </>
  )
}

function columnsOf(labels: readonly string[], addressOf: (row: LabelRow) => string | undefined): Column<LabelRow>[] {
  return [
    {
      id: 'group',
      title: 'Group',
      width: 180,
      grow: true,
      rowHeader: true,
      cell: row => {
        if (row.group === null) return 'All'
        const name = <UntrustedText text={`${row.group.dimension}: ${row.group.value}`} layout="prose" />
        const address = addressOf(row)
        return address === undefined ? (
          name
        ) : (
          <Anchor component={Link} to={address} fz="inherit">
            {name}
          </Anchor>
        )
      },
    },
    ...labels.map(
      (label, i): Column<LabelRow> => ({
        id: `label ${i}`,
        title: label,
        head: <UntrustedText text={label} layout="prose" />,
        width: 150,
        align: 'end',
        cell: ({ shares }) => {
          const estimate = shares[i]?.estimate
          return estimate ? formatScore(estimate, true) : null
        },
      }),
    ),
    { id: 'n', title: 'n', width: 62, align: 'end', cell: ({ n }) => formatCount(n) },
    { id: 'without', title: 'Without label', width: 104, align: 'end', cell: ({ withoutLabel }) => formatCount(withoutLabel) },
  ]
}
