/** The workspace that requests speak for. Set once by the shell after `GET /v1/me`; a page never handles it. */
let workspaceId: string | null = null

export function setWorkspaceId(id: string | null): void {
  workspaceId = id
}

export function workspaceHeaders(): Record<string, string> {
  return workspaceId ? { 'x-workspace-id': workspaceId } : {}
}
