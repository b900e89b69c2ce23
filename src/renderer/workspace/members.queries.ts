import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Installation } from '../../contract/installation/installation.schemas.ts'
import type { Member, OwnedWorkspaces } from '../../contract/workspace/workspace.schemas.ts'
import { useChange, useQuickChange, useReplacement } from '../api/changes.ts'
import { call } from '../api/client.ts'
import { useIdempotencyKey } from '../api/idempotency.ts'
import { everyPage } from '../api/pages.ts'
import { ME } from '../api/query-client.ts'

const MEMBERS = ['workspace', 'members'] as const
const INSTALLATION = ['workspace', 'installation'] as const
const SESSIONS = ['workspace', 'sessions'] as const

export function useMembers() {
  return useQuery({
    queryKey: MEMBERS,
    queryFn: ({ signal }) => everyPage(cursor => call('listMembers', { query: { cursor, limit: 100 } }, { signal })),
  })
}

export function useSessions() {
  return useQuery({
    queryKey: SESSIONS,
    queryFn: ({ signal }) => everyPage(cursor => call('listSessions', { query: { cursor, limit: 100 } }, { signal })),
  })
}

/** Roles decide what the person in front of the screen may do as well. */
function reread(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: MEMBERS })
  void client.invalidateQueries({ queryKey: ME })
}

export function useInvite() {
  const client = useQueryClient()
  const key = useIdempotencyKey('invite-member')
  return useMutation({
    mutationFn: (body: { readonly name: string; readonly role: Member['role'] }) =>
      call('inviteMember', { body, headers: key.headersFor(body) }),
    onSuccess: () => {
      key.done()
      reread(client)
    },
    gcTime: 0,
  })
}

export function usePrintCode() {
  return useMutation({ mutationFn: (memberId: string) => call('createMemberPairingCode', { params: { member_id: memberId } }), gcTime: 0 })
}

export const useSetRole = () =>
  useQuickChange(
    ({ id, role }: Pick<Member, 'id' | 'role'>) => call('setMemberRole', { params: { member_id: id }, body: { role } }),
    MEMBERS,
    ME,
  )

/** Whom this machine belongs to. */
export function useInstallation() {
  return useQuery({ queryKey: INSTALLATION, queryFn: ({ signal }) => call('getInstallation', {}, { signal }) })
}

export function useIsMachineOwner(): boolean {
  return useInstallation().data?.is_owner ?? false
}

export const useSetWorkspaceCreation = () =>
  useReplacement(INSTALLATION, (creation: Installation['workspace_creation']) =>
    call('setInstallation', { body: { workspace_creation: creation } }),
  )

export const useRemoveMember = () =>
  useQuickChange(
    ({ id, owned }: { readonly id: string; readonly owned?: OwnedWorkspaces }) =>
      call('removeMember', { params: { member_id: id }, ...(owned && { query: { owned_workspaces: owned } }) }),
    MEMBERS,
    ME,
  )

export const useEndSession = () => useChange((id: string) => call('endSession', { params: { session_id: id } }), SESSIONS)

export const useRenameWorkspace = (id: string) =>
  useChange((name: string) => call('renameWorkspace', { params: { workspace_id: id }, body: { name } }), ME)
