import type { Me } from '../../contract/sessions/sessions.schemas.ts'

type Membership = Me['workspaces'][number]

/** Where this browser keeps which workspace it shows; `early.ts` reads it, too. */
const place = 'assay.workspace'

/** The workspace that requests speak for. Set once by the shell after `GET /v1/me`; a page never handles it. */
let workspaceId: string | null = null

export function setWorkspaceId(id: string | null): void {
  workspaceId = id
}

/** The workspace that the address names, else the one that was open last, else the person's first. */
export function presentWorkspace({ workspaces }: Pick<Me, 'workspaces'>): Membership | undefined {
  const named = new URLSearchParams(globalThis.location.search).get('workspace')
  if (named !== null) localStorage.setItem(place, named)
  const kept = localStorage.getItem(place)
  return workspaces.find(({ id }) => id === kept) ?? workspaces[0]
}

/** From its first page on, with nothing from another workspace left in memory. */
export function openWorkspace(id: string): void {
  localStorage.setItem(place, id)
  globalThis.location.assign('/')
}

/** For addresses and settings that are copied into another program. */
export function currentWorkspaceId(): string | null {
  return workspaceId
}

export function workspaceHeaders(): Record<string, string> {
  return workspaceId ? { 'x-workspace-id': workspaceId } : {}
}
