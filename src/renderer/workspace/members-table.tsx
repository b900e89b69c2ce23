import { Button, Radio, Select } from '@mantine/core'
import { useState } from 'react'
import type { Member, OwnedWorkspaces } from '../../contract/workspace/workspace.schemas.ts'
import { ConfirmDialog } from '../ui/forms/confirm.tsx'
import { notifyDone, notifyFailed } from '../ui/page/notify.ts'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import type { PrintedCode } from './pairing-code-dialog.tsx'
import { useIsMachineOwner, useMembers, usePrintCode, useRemoveMember, useSetRole } from './members.queries.ts'
import { roleOptions, roleWords } from './role-options.ts'
import { useRole } from './use-role.ts'

const columns: readonly Column<Member>[] = [
  {
    id: 'name',
    title: 'Name',
    width: 180,
    grow: true,
    rowHeader: true,
    cell: member => <UntrustedText text={member.name} layout="prose" />,
  },
  {
    id: 'status',
    title: 'Status',
    width: 120,
    cell: ({ status }) => (
      <StatusBadge status={status === 'active' ? { word: 'Active', tone: 'pass' } : { word: 'Invited', tone: 'human' }} />
    ),
  },
  { id: 'since', title: 'Since', width: 130, cell: member => <RelativeTime at={member.created_at} /> },
]

export function MembersTable({ onPrinted }: { readonly onPrinted: (printed: PrintedCode) => void }) {
  const { mayAdminister, isOwner } = useRole()
  const query = useMembers()
  const [removing, setRemoving] = useState<Member | null>(null)
  const [owned, setOwned] = useState<OwnedWorkspaces>('keep')
  const remove = useRemoveMember()
  const isMachineOwner = useIsMachineOwner()
  /** Nobody touches a rank above their own. */
  const mayTouch = (member: Member): boolean => isOwner || (mayAdminister && member.role !== 'owner')
  const all: readonly Column<Member>[] = [
    ...columns,
    { id: 'role', title: 'Role', width: 140, cell: member => <RoleCell member={member} changeable={mayTouch(member)} /> },
    ...(mayAdminister
      ? [
          {
            id: 'actions',
            title: 'Actions',
            width: 230,
            cell: (member: Member) =>
              mayTouch(member) ? (
                <MemberActions
                  member={member}
                  onPrinted={onPrinted}
                  onRemove={() => {
                    setOwned('keep')
                    setRemoving(member)
                  }}
                />
              ) : null,
          },
        ]
      : []),
  ]
  return (
    <QueryView query={query} failure="Couldn’t load the members" loading={<LinesSkeleton lines={3} />}>
      {members => (
        <>
          <PlainTable label="Members" columns={all} rows={members} rowId={member => member.id} />
          <ConfirmDialog
            opened={removing !== null}
            onClose={() => setRemoving(null)}
            title={`Remove ${removing?.name ?? ''}?`}
            action="Remove member"
            onConfirm={async () => {
              if (removing) await remove.mutateAsync({ id: removing.id, ...(isMachineOwner && { owned }) })
            }}
          >
            They are signed out everywhere. Their runs and reports stay.
            {isMachineOwner && (
              <Radio.Group
                mt="md"
                label="Other workspaces that only they own"
                value={owned}
                onChange={value => setOwned(value === 'transfer' ? 'transfer' : 'keep')}
              >
                <Radio mt="xs" value="keep" label="Leave them as they are" />
                <Radio mt="xs" value="transfer" label="Make me an owner of each" />
              </Radio.Group>
            )}
          </ConfirmDialog>
        </>
      )}
    </QueryView>
  )
}

function RoleCell({ member, changeable }: { readonly member: Member; readonly changeable: boolean }) {
  const { isOwner } = useRole()
  const setRole = useSetRole()
  if (!changeable) return roleWords[member.role]
  return (
    <Select
      aria-label={`Role of ${member.name}`}
      size="xs"
      w={116}
      disabled={setRole.isPending}
      data={roleOptions(isOwner)}
      value={member.role}
      onChange={role => {
        if (!role || role === member.role) return
        setRole.mutate(
          { id: member.id, role },
          {
            onSuccess: () => notifyDone(`${member.name} is now ${roleWords[role].toLowerCase()}.`),
            onError: error => notifyFailed('The role was not changed', error),
          },
        )
      }}
    />
  )
}

interface MemberActionsProps {
  readonly member: Member
  readonly onPrinted: (printed: PrintedCode) => void
  readonly onRemove: () => void
}

function MemberActions({ member, onPrinted, onRemove }: MemberActionsProps) {
  const print = usePrintCode()
  return (
    <div className="row" style={{ flexWrap: 'nowrap' }}>
      <Button
        size="compact-xs"
        variant="default"
        loading={print.isPending}
        onClick={() =>
          print.mutate(member.id, {
            onSuccess: code => onPrinted({ name: member.name, code }),
            onError: error => notifyFailed('No code was printed', error),
          })
        }
      >
        Pairing code
      </Button>
      <Button size="compact-xs" variant="default" onClick={onRemove}>
        Remove…
      </Button>
    </div>
  )
}
