import { drawnLevels } from '../../charts/comparison-differences.ts'
import { formatLevel, formatLevels } from '../../lib/format/percent.ts'
import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import type { ComparedRun, Comparison } from '../../contract/comparisons/comparisons.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { KeyValues } from '../ui/page/key-values.tsx'
import { Section } from '../ui/page/page-header.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { Identifier } from '../ui/values/copy-button.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { runStatuses } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

const columns: readonly Column<ComparedRun>[] = [
  {
    id: 'label',
    title: 'Label',
    width: 160,
    rowHeader: true,
    cell: run => (
      <>
        <UntrustedText text={run.label} layout="prose" />
        {run.baseline ? <span className="quiet"> (baseline)</span> : null}
      </>
    ),
  },
  {
    id: 'run',
    title: 'Run',
    width: 180,
    grow: true,
    cell: run => (
      <Anchor component={Link} to={`/runs/${run.run_id}`} fz="inherit">
        <UntrustedText text={run.name} layout="prose" />
      </Anchor>
    ),
  },
  {
    id: 'model',
    title: 'Model',
    width: 160,
    cell: run => (
      <>
        <UntrustedText text={run.model.title} layout="prose" />
        {run.model.is_model ? null : <span className="quiet"> (not a model)</span>}
      </>
    ),
  },
  { id: 'status', title: 'Status', width: 100, cell: run => <StatusBadge status={runStatuses[run.status]} /> },
  { id: 'tasks', title: 'Tasks', width: 70, align: 'end', cell: run => formatCount(run.tasks) },
  { id: 'scored', title: 'Scored', width: 70, align: 'end', cell: run => formatCount(run.scored_tasks) },
  { id: 'version', title: 'Result', width: 62, align: 'end', cell: run => `v${run.result_version}` },
  { id: 'digest', title: 'Samples digest', width: 128, cell: run => <Identifier value={run.samples_digest} what="samples digest" /> },
]

/** All that it rests on: the same runs, seed and options give the same figures. */
export function ComparedRuns({ comparison }: { readonly comparison: Comparison }) {
  const { runs, options, seed, digest, app_version: version, id, profiles } = comparison
  return (
    <Section title="What was compared">
      <PlainTable label="Compared runs" columns={columns} rows={runs} rowId={run => run.id} />
      <KeyValues
        items={{
          Profiles: <UntrustedText text={profiles.map(profile => `${profile.title} (${profile.source_ref})`).join('; ')} layout="prose" />,
          'Interval level': `${formatLevels(drawnLevels(comparison))}; all tests together ${formatLevel(options.level)}`,
          'Clustered by': options.cluster_by === null ? 'nothing' : `${options.cluster_by}, where tasks declare it`,
          'Different prompts': options.accept_different_prompts ? 'accepted' : 'refused',
          Seed: seed,
          'Made with': `Assay ${version}`,
          Digest: <Identifier value={digest} what="digest" shown={16} />,
          Comparison: <Identifier value={id} what="comparison id" shown={36} />,
        }}
      />
    </Section>
  )
}
