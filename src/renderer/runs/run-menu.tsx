import { Button, Menu } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { isTerminal } from '../../contract/machine.ts'
import { runMachine } from '../../contract/runs/run.machine.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { GradeRunDialog } from '../evaluators/grade-run-dialog.tsx'
import { scheduleLink } from '../schedules/schedule-link.ts'
import { notifyDone, notifyFailed } from '../ui/page/notify.ts'
import { IconChevronDown } from '../ui/pictures/icons.tsx'
import { DeleteRun } from './delete-run.tsx'
import { isAtRest } from './follow-up.ts'
import { RegradeDialog } from './regrade-dialog.tsx'
import { RenameDialog } from './rename-dialog.tsx'
import { useChangeRun } from './run-changes.queries.ts'

/** What is done to a run now and then. */
export function RunMenu({ run }: { readonly run: Run }) {
  const [open, setOpen] = useState<'rename' | 'regrade' | 'evaluate' | 'delete' | null>(null)
  const change = useChangeRun(run.id)
  const schedule = scheduleLink([run])
  const close = (): void => setOpen(null)
  const archived = run.archived_at !== null
  const pinned = run.pinned_at !== null
  const pin = (): void =>
    change.mutate(
      { pinned: !pinned },
      {
        onSuccess: () => notifyDone(pinned ? 'Baseline unpinned.' : 'Pinned as a baseline.'),
        onError: error => notifyFailed(pinned ? 'Couldn’t unpin the run' : 'Couldn’t pin the run', error),
      },
    )
  const archive = (): void =>
    change.mutate(
      { archived: !archived },
      {
        onSuccess: () => notifyDone(archived ? 'Run unarchived.' : 'Run archived.'),
        onError: error => notifyFailed(archived ? 'Couldn’t unarchive the run' : 'Couldn’t archive the run', error),
      },
    )
  return (
    <>
      <Menu width={240}>
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={14} aria-hidden />} aria-label="More for this run">
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {run.quote_id === null ? null : (
            <>
              <Menu.Item component={Link} to={`/quotes/new?from=${run.quote_id}`}>
                Run again
              </Menu.Item>
              <Menu.Item component={Link} to={`/quotes/new?from=${run.quote_id}&model=other`}>
                Run with another model
              </Menu.Item>
            </>
          )}
          {schedule === null ? null : (
            <Menu.Item component={Link} to={schedule}>
              Run on a schedule…
            </Menu.Item>
          )}
          <Menu.Item component={Link} to={`/compare/new?runs=${run.id}`} disabled={run.result_version === null}>
            Compare with…
          </Menu.Item>
          <Menu.Item component={Link} to={`/tuning/new?way=run&run=${run.id}`} disabled={run.result_version === null}>
            Find a cheaper call…
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item onClick={() => setOpen('rename')}>Rename…</Menu.Item>
          <Menu.Item disabled={run.result_version === null && !pinned} onClick={pin}>
            {pinned ? 'Unpin baseline' : 'Pin as baseline'}
          </Menu.Item>
          <Menu.Item disabled={!isTerminal(runMachine, run.status)} onClick={archive}>
            {archived ? 'Unarchive' : 'Archive'}
          </Menu.Item>
          <Menu.Item disabled={!isAtRest(run) || run.result_version === null} onClick={() => setOpen('regrade')}>
            Regrade…
          </Menu.Item>
          <Menu.Item disabled={!isAtRest(run) || run.result_version === null} onClick={() => setOpen('evaluate')}>
            Grade with an evaluator…
          </Menu.Item>
          <Menu.Item color="red.8" disabled={!isAtRest(run)} onClick={() => setOpen('delete')}>
            Delete…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {open === 'rename' ? <RenameDialog run={run} opened onClose={close} /> : null}
      {open === 'regrade' ? <RegradeDialog run={run} opened onClose={close} /> : null}
      {open === 'evaluate' ? <GradeRunDialog run={run} opened onClose={close} /> : null}
      <DeleteRun run={run} opened={open === 'delete'} onClose={close} />
    </>
  )
}
