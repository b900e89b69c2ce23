import { Button, Menu } from '@mantine/core'
import { useState } from 'react'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { notifyFailed } from '../ui/page/notify.ts'
import { IconChevronDown } from '../ui/pictures/icons.tsx'
import { RetryDialog } from './retry-dialog.tsx'
import { matchingSampleIds, MOST_ASKED } from './matching-samples.ts'
import type { SampleFilters } from './samples.queries.ts'

interface RetryMenuProps {
  readonly run: Run
  readonly filters: SampleFilters
  readonly filtered: boolean
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (ids: readonly string[]) => void
}

/** Asks samples of the list again: the chosen ones, or all that the filters keep. */
export function RetryMenu({ run, filters, filtered, chosen, onChoose }: RetryMenuProps) {
  const [ids, setIds] = useState<readonly string[] | null>(null)
  const [reading, setReading] = useState(false)
  const readMatching = async (then: (ids: readonly string[]) => void): Promise<void> => {
    setReading(true)
    try {
      const matching = await matchingSampleIds(run.id, filters)
      if (matching.length === 0) throw new Error('No samples match these filters.')
      then(matching)
    } catch (error) {
      notifyFailed('Couldn’t read the samples', error)
    } finally {
      setReading(false)
    }
  }
  const tooMany = !filtered && run.progress.frozen > MOST_ASKED
  return (
    <>
      <Menu width={280}>
        <Menu.Target>
          <Button variant="default" loading={reading} rightSection={<IconChevronDown size={14} aria-hidden />}>
            {chosen.size === 0 ? 'Retry' : `Retry (${formatCount(chosen.size)} selected)`}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item disabled={chosen.size === 0} onClick={() => setIds([...chosen])}>
            {chosen.size === 0 ? 'Selected samples' : `Selected: ${chosen.size === 1 ? '1 sample' : `${formatCount(chosen.size)} samples`}`}
            {chosen.size === 0 ? <div className="quiet small">None selected. Tick rows, or press Space on a row</div> : null}
          </Menu.Item>
          <Menu.Item disabled={tooMany} onClick={() => void readMatching(setIds)}>
            {filtered ? 'All samples matching the filters' : 'All samples of the run'}
            {tooMany ? <div className="quiet small">At most {formatCount(MOST_ASKED)} at once: filter them first</div> : null}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item disabled={tooMany} onClick={() => void readMatching(onChoose)}>
            {filtered ? 'Select all matching' : 'Select all'}
          </Menu.Item>
          <Menu.Item disabled={chosen.size === 0} onClick={() => onChoose([])}>
            Clear selection
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <RetryDialog run={run} ids={ids} onClose={() => setIds(null)} />
    </>
  )
}
