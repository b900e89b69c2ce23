import type { AttackMatrix } from '../../contract/worlds/attacks.schemas.ts'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { Estimate } from '../ui/values/figures.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { attackTitles, describeGoal } from './attack-titles.ts'

interface Row {
  readonly runId: string
  readonly model: string
  readonly row: AttackMatrix['rows'][number]
}

const columns: readonly Column<Row>[] = [
  { id: 'attack', title: 'Attack', width: 200, grow: true, rowHeader: true, cell: ({ row }) => attackTitles[row.attack] },
  {
    id: 'goal',
    title: 'Goal of the attacker',
    width: 190,
    cell: ({ row }) => <UntrustedText text={describeGoal(row.goal)} layout="prose" />,
  },
  { id: 'model', title: 'Model', width: 160, cell: ({ model }) => <UntrustedText text={model} layout="prose" /> },
  { id: 'reached', title: 'Attack success', width: 190, cell: ({ row }) => <Estimate estimate={row.attack_success} /> },
  { id: 'success', title: 'Success under attack', width: 190, cell: ({ row }) => <Estimate estimate={row.success} /> },
  { id: 'benign', title: 'Success without', width: 190, cell: ({ row }) => <Estimate estimate={row.benign_success} /> },
  { id: 'difference', title: 'Difference', width: 190, cell: ({ row }) => <Estimate estimate={row.difference} /> },
]

/** By attack, then by model: what the attacker got, and what the task lost. */
export function AttackTable({ matrices }: { readonly matrices: readonly AttackMatrix[] }) {
  const rows = matrices.flatMap(({ run_id: runId, model_title: model, rows: own }) => own.map(row => ({ runId, model, row })))
  const byAttack = [...Map.groupBy(rows, ({ row }) => `${row.profile_id} ${row.attack} ${describeGoal(row.goal)}`).values()].flat()
  return (
    <PlainTable
      label="Attacks"
      columns={columns}
      rows={byAttack}
      rowId={({ runId, row }) => `${runId} ${row.profile_id} ${row.attack} ${describeGoal(row.goal)}`}
    />
  )
}
