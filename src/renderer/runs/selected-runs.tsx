import { Button, Modal } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { Tag } from '../../contract/annotations/annotations.schemas.ts'
import type { RunsChanged } from '../../contract/items/matching-runs.schemas.ts'
import { isTerminal } from '../../contract/machine.ts'
import type { RunFilter } from '../../contract/runs/run-filter.schemas.ts'
import { runMachine } from '../../contract/runs/run.machine.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { tagsQuery } from '../annotations/annotations.queries.ts'
import { call } from '../api/client.ts'
import { mostRuns } from '../comparisons/use-selection.ts'
import { FolderButton, movedTo } from '../items/folder-button.tsx'
import { NamePopover } from '../items/name-popover.tsx'
import { ExportRuns } from '../results/export-runs.tsx'
import { notifyDone, notifyFailed } from '../ui/page/notify.ts'
import type { Column } from '../ui/table/column.ts'
import { tickColumn } from '../ui/table/tick-column.tsx'
import { DeleteRuns } from './delete-runs.tsx'
import { RefusedRuns } from './refused-runs.tsx'
import { type RunsChange, runsInWords, type RunsTarget, useChangeRuns } from './use-change-runs.ts'

export function selectedColumn(selected: ReadonlySet<string>, toggle: (id: string) => void): Column<Run> {
  return tickColumn({
    label: run => `Select ${showHidden(run.name)}`,
    isTicked: run => selected.has(run.id),
    onTick: run => toggle(run.id),
  })
}

/** Every run that a filter matches, also those that are not listed yet. */
export interface Everything {
  readonly filter: Partial<RunFilter>
  readonly count: number
}

interface SelectedRunsProps {
  /** Of those that are listed, the ones that are ticked. */
  readonly runs: readonly Run[]
  /** Null: only those that are ticked. */
  readonly everything: Everything | null
  /** What the list shows now. */
  readonly filter: Partial<RunFilter>
  /** Whether every listed run is ticked, and more match. */
  readonly hasMore: boolean
  readonly onEverything: (everything: Everything) => void
  readonly onClear: () => void
}

/** What is done to several runs at once. */
export function SelectedRuns({ runs, everything, filter, hasMore, onEverything, onClear }: SelectedRunsProps) {
  const change = useChangeRuns()
  const [outcome, setOutcome] = useState<RunsChanged | null>(null)
  const count = useMutation({
    mutationFn: () => call('changeRuns', { body: { filter, dry_run: true } }),
    onSuccess: ({ matched }) => onEverything({ filter, count: matched }),
    onError: error => notifyFailed('Couldn’t count the runs', error),
  })
  const target: RunsTarget =
    everything === null ? { run_ids: runs.map(run => run.id) } : { filter: everything.filter, expected: everything.count }
  const number = everything?.count ?? runs.length
  const isRestoring = filter.archived === 'true'
  /** @param done what became of so many */
  const perform = async (wanted: RunsChange, done: (changed: number) => string): Promise<void> => {
    const result = await change.mutateAsync({ ...target, ...wanted })
    if (result.changed > 0) notifyDone(done(result.changed))
    if (result.refused_count > 0) setOutcome(result)
    else onClear()
  }
  const file = (): void =>
    void perform({ archived: !isRestoring }, changed => `${runsInWords(changed)} ${isRestoring ? 'restored' : 'archived'}.`).catch(
      (error: unknown) => notifyFailed(isRestoring ? 'Couldn’t restore the runs' : 'Couldn’t archive the runs', error),
    )
  const ended = everything !== null || runs.every(run => isTerminal(runMachine, run.status))
  return (
    <>
      {everything === null ? <OfTicked runs={runs} /> : <span>All {runsInWords(number)} that match</span>}
      {everything === null && hasMore ? (
        <Button variant="light" loading={count.isPending} onClick={() => count.mutate()}>
          Select all that match
        </Button>
      ) : null}
      <Button variant="default" loading={change.isPending} disabled={!ended} onClick={file}>
        {isRestoring ? 'Restore' : 'Archive'} {formatCount(number)}
      </Button>
      <TagButton
        onTag={(tag, isAdded) =>
          perform(
            isAdded ? { add_tags: [tag] } : { remove_tags: [tag] },
            changed => `${isAdded ? 'Tag added to' : 'Tag removed from'} ${runsInWords(changed)}.`,
          )
        }
      />
      <FolderButton kind="run" onMove={folder => perform({ folder }, () => movedTo(folder))} />
      <DeleteRuns
        target={target}
        count={number}
        onDelete={() => perform({ delete: true }, changed => `${runsInWords(changed)} deleted.`)}
      />
      <Button variant="subtle" color="gray" onClick={onClear}>
        Clear selection
      </Button>
      <Modal opened={outcome !== null} onClose={() => setOutcome(null)} title="Not every run was changed" size="md">
        {outcome === null ? null : <RefusedRuns outcome={outcome} />}
      </Modal>
    </>
  )
}

/** What is done only to runs that are listed. */
function OfTicked({ runs }: { readonly runs: readonly Run[] }) {
  const comparable = runs.every(run => run.result_version !== null)
  if (!comparable) return null
  return (
    <>
      {runs.length >= 2 && runs.length <= mostRuns ? (
        <Button component={Link} to={`/compare/new?runs=${runs.map(run => run.id).join(',')}`}>
          Compare {runs.length} runs
        </Button>
      ) : null}
      <ExportRuns runs={runs} />
    </>
  )
}

/** @throws Error for a tag that is none */
function TagButton({ onTag }: { readonly onTag: (tag: string, isAdded: boolean) => Promise<unknown> }) {
  const [wanted, setWanted] = useState(false)
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed, 200)
  const known = useQuery({ ...tagsQuery('runs', search), enabled: wanted }).data?.items ?? []
  const tag = (isAdded: boolean) => async (name: string) => {
    const parsed = Tag.safeParse(name)
    if (!parsed.success) throw new Error(parsed.error.issues[0]?.message ?? 'not a tag')
    await onTag(parsed.data, isAdded)
  }
  return (
    <NamePopover
      label="Tag"
      placeholder="A new or existing tag"
      maxLength={50}
      known={known.map(use => use.tag)}
      onOpen={() => setWanted(true)}
      onType={setTyped}
      submit={{ label: 'Add', run: tag(true) }}
      other={{ label: 'Remove', run: tag(false) }}
    >
      Tag
    </NamePopover>
  )
}
