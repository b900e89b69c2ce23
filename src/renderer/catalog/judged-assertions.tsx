import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import type { ImportRecord } from '../../contract/catalog/imports.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { useEvaluatorOptions } from '../evaluators/evaluators.queries.ts'
import { kindWords } from '../evaluators/evaluators-words.ts'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

type Judged = ImportRecord['evaluators'][number]

/** Which evaluators grade the assertions that need a judge. */
export function JudgedAssertions({ judged }: { readonly judged: readonly Judged[] }) {
  const { data } = useEvaluatorOptions()
  if (judged.length === 0) return null
  const titleOf = (id: string) => data?.presets.find(preset => preset.id === id)?.title ?? `None: the kind ${kindWords.embedding}`
  const columns: readonly Column<Judged>[] = [
    {
      id: 'assertion',
      title: 'Assertion',
      width: 220,
      rowHeader: true,
      cell: one => <UntrustedText text={one.assertion} layout="inline" />,
    },
    { id: 'tasks', title: 'Tests', width: 80, align: 'end', cell: one => formatCount(one.tasks) },
    { id: 'preset', title: 'Evaluator preset', width: 240, grow: true, cell: one => titleOf(one.preset) },
  ]
  return (
    <div className="stack">
      <p className="quiet small">
        These assertions need a model and are not part of the imported metrics.{' '}
        <Anchor component={Link} inherit to="/evaluators/new">
          Create an evaluator
        </Anchor>{' '}
        from the preset and choose it for runs; it compares with what each test says.
      </p>
      <PlainTable label="Assertions that need a model" columns={columns} rows={judged} rowId={one => one.assertion} />
    </div>
  )
}
