import { Select } from '@mantine/core'
import { KeyValues } from '../ui/page/key-values.tsx'
import { notifyFailed } from '../ui/page/notify.ts'
import { QueryView } from '../ui/states/query-view.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useInstallation, useSetWorkspaceCreation } from '../workspace/members.queries.ts'

const creators = { everyone: 'Everyone signed in', owner: 'Only the owner' } as const

/** Whom this machine belongs to, and what they decide for all workspaces on it. */
export function InstallationSection() {
  const save = useSetWorkspaceCreation()
  return (
    <QueryView query={useInstallation()} failure="Couldn’t load this machine’s owner">
      {({ owner, is_owner, workspace_creation }) => (
        <>
          <KeyValues items={{ Owner: <UntrustedText text={is_owner ? `${owner.name} (you)` : owner.name} layout="prose" /> }} />
          <p className="prose" style={{ margin: 0 }}>
            Backups and storage concern every workspace, so only this machine’s owner can change them.
          </p>
          <Select
            label="Can create workspaces"
            w={220}
            disabled={!is_owner || save.isPending}
            data={Object.entries(creators).map(([value, label]) => ({ value, label }))}
            value={workspace_creation}
            onChange={value =>
              save.mutate(value === 'owner' ? 'owner' : 'everyone', {
                onError: error => notifyFailed('Couldn’t change who can create workspaces', error),
              })
            }
          />
        </>
      )}
    </QueryView>
  )
}
