import { Button, NumberInput, Progress, Select } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { backupIntervals, type Backups, type BackupScheduleBody } from '../../contract/backups/backups.schemas.ts'
import { notifyFailed } from '../ui/page/notify.ts'
import { Notice } from '../ui/states/notice.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { useNow } from '../ui/values/use-now.ts'
import { useIsMachineOwner } from '../workspace/members.queries.ts'
import { useBackups, useSetSchedule, useStartBackup } from './backups.queries.ts'
import { BackupsTable } from './backups-table.tsx'

/** Copies of everything but the key that encrypts secrets: the last one, one more now, how often and how many. */
export function BackupsSection() {
  return (
    <QueryView query={useBackups()} failure="Couldn’t load the backups">
      {backups => <BackupsView backups={backups} />}
    </QueryView>
  )
}

function BackupsView({ backups }: { readonly backups: Backups }) {
  const { items, running, restore, last_failure: failure } = backups
  const isMachineOwner = useIsMachineOwner()
  const start = useStartBackup()
  const now = useNow(30_000)
  const [last] = items
  return (
    <>
      <p className="prose" style={{ margin: 0 }}>
        Each backup is a full, verified copy of the database in the data folder’s <span className="mono">backups</span>. Copy that folder to
        another disk to survive a disk failure. If Assay no longer starts, restore a backup with <span className="mono">assay restore</span>
        .
      </p>
      {failure ? (
        <Notice tone="warn" title="The last backup failed">
          {failure.message} (<RelativeTime at={failure.at} />)
        </Notice>
      ) : null}
      <div className="row">
        <span>
          Last backup: {last ? <RelativeTime at={last.created_at} /> : 'none yet'}
          {backups.next_at && !running ? (
            <span className="quiet">
              {' '}
              · next {Date.parse(backups.next_at) <= now ? 'within minutes' : <RelativeTime at={backups.next_at} />}
            </span>
          ) : null}
        </span>
        {isMachineOwner ? (
          <Button
            variant="default"
            disabled={running !== null || restore !== null}
            loading={start.isPending}
            onClick={() => start.mutate(undefined, { onError: error => notifyFailed('Couldn’t start the backup', error) })}
          >
            Back up now
          </Button>
        ) : null}
      </div>
      {running ? (
        <div className="stack" style={{ gap: 4 }}>
          <Progress value={100 * running.fraction} aria-label="Backup" />
          <output className="quiet small">
            {running.fraction < 1 ? `Copying: ${Math.floor(100 * running.fraction)} %` : 'Checking the copy'}
          </output>
        </div>
      ) : null}
      <RestoreProgress backups={backups} />
      {isMachineOwner ? <Schedule schedule={backups.schedule} /> : null}
      {items.length > 0 ? <BackupsTable backups={backups} mayAdminister={isMachineOwner} mayRestore={isMachineOwner} /> : null}
    </>
  )
}

function RestoreProgress({ backups: { restore, last_restore: last } }: { readonly backups: Backups }) {
  useFreshPages(last?.failure === null ? last.at : null)
  if (restore) {
    return (
      <div className="stack" style={{ gap: 4 }}>
        <Progress value={100} animated aria-label="Restore" />
        <output className="quiet small">
          {restore.step === 'checking'
            ? `Checking ${restore.backup} before anything is changed`
            : 'Assay stops, replaces the database and starts again'}
        </output>
      </div>
    )
  }
  if (!last) return null
  if (last.failure !== null) {
    return (
      <Notice tone="fail" title="The backup was not restored">
        {last.failure} (<RelativeTime at={last.at} />)
      </Notice>
    )
  }
  return (
    <Notice tone={last.access_carried ? 'pass' : 'warn'} title="Restored">
      {last.access_carried
        ? null
        : 'The replaced database could not be read: sessions, API keys and members are those of the backup. Revoke what should not work any more. '}
      Restored from {last.backup}, <RelativeTime at={last.at} />. The previous database is kept as {last.kept_as}.
    </Notice>
  )
}

/** After a restore, whatever any page still shows is of the database that was replaced. */
function useFreshPages(restoredAt: string | null): void {
  const client = useQueryClient()
  const before = useRef(restoredAt)
  useEffect(() => {
    if (restoredAt !== null && restoredAt !== before.current) void client.invalidateQueries()
    before.current = restoredAt
  }, [restoredAt, client])
}

const intervalWords: Readonly<Record<Backups['schedule']['every'], string>> = {
  off: 'Never',
  hourly: 'Every hour',
  daily: 'Every day',
  weekly: 'Every week',
}

function Schedule({ schedule }: { readonly schedule: Backups['schedule'] }) {
  const save = useSetSchedule()
  const change = (body: BackupScheduleBody) => save.mutate(body, { onError: error => notifyFailed('The schedule was not changed', error) })
  return (
    <div className="row" style={{ alignItems: 'flex-end' }}>
      <Select
        label="Schedule"
        w={160}
        data={backupIntervals.map(value => ({ value, label: intervalWords[value] }))}
        value={schedule.every}
        onChange={value => change({ every: backupIntervals.find(interval => interval === value) })}
      />
      <NumberInput
        label="Backups kept"
        w={130}
        min={1}
        max={100}
        allowDecimal={false}
        clampBehavior="strict"
        defaultValue={schedule.keep}
        onBlur={event => {
          const keep = Number(event.currentTarget.value)
          if (Number.isInteger(keep) && keep >= 1 && keep <= 100 && keep !== schedule.keep) change({ keep })
        }}
      />
    </div>
  )
}
