import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { isTerminal } from '../../contract/machine.ts'
import { runMachine } from '../../contract/runs/run.machine.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { call } from '../api/client.ts'
import { mostRuns } from '../comparisons/use-selection.ts'
import { ExportRuns } from '../results/export-runs.tsx'
import { FolderButton } from '../items/folder-button.tsx'
import { notifyDone, notifyFailed } from '../ui/page/notify.ts'
import type { Column } from '../ui/table/column.ts'
import { tickColumn } from '../ui/table/tick-column.tsx'

export function selectedColumn(selected: ReadonlySet<string>, toggle: (id: string) => void): Column<Run> {
  return tickColumn({
    label: run => `Select ${showHidden(run.name)}`,
    isTicked: run => selected.has(run.id),
    onTick: run => toggle(run.id),
  })
}

interface SelectedRunsProps {
  /** Of those that are listed, the ones that are ticked. */
  readonly runs: readonly Run[]
  readonly onClear: () => void
}

/** What is done to several runs at once. */
export function SelectedRuns({ runs, onClear }: SelectedRunsProps) {
  const client = useQueryClient()
  const archive = useMutation({
    mutationFn: () => Promise.all(runs.map(run => call('changeRun', { params: { run_id: run.id }, body: { archived: true } }))),
    onSuccess: changed => {
      notifyDone(changed.length === 1 ? 'Run archived.' : `${changed.length} runs archived.`)
      onClear()
    },
    onError: error => notifyFailed('Not every run was archived', error),
    onSettled: () => client.invalidateQueries({ queryKey: ['runs'] }),
  })
  if (runs.length === 0) return null
  const comparable = runs.filter(run => run.result_version !== null)
  const canCompare = comparable.length === runs.length && runs.length >= 2 && runs.length <= mostRuns
  const ids = runs.map(run => run.id).join(',')
  return (
    <>
      {canCompare ? (
        <Button component={Link} to={`/compare/new?runs=${ids}`}>
          Compare {runs.length} runs
        </Button>
      ) : null}
      {comparable.length === runs.length ? <ExportRuns runs={runs} /> : null}
      <Button
        variant="default"
        loading={archive.isPending}
        disabled={!runs.every(run => isTerminal(runMachine, run.status))}
        onClick={() => archive.mutate()}
      >
        Archive {runs.length}
      </Button>
      <FolderButton kind="run" ids={runs.map(run => run.id)} onDone={onClear} />
      <Button variant="subtle" color="gray" onClick={onClear}>
        Clear selection
      </Button>
    </>
  )
}
