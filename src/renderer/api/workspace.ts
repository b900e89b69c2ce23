/** The workspace that requests speak for. Set once by the shell after `GET /v1/me`; a page never handles it. */
let workspaceId: string | null = null

export function setWorkspaceId(id: string | null): void {
  workspaceId = id
}

/** For addresses and settings that are copied into another program. */
export function currentWorkspaceId(): string | null {
  return workspaceId
}

export function workspaceHeaders(): Record<string, string> {
  return workspaceId ? { 'x-workspace-id': workspaceId } : {}
}
