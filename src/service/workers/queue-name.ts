/** Of PostgreSQL: one for each label of each workspace. */
export function queueName(workspaceId: string, label: string): string {
  return `${workspaceId}/${label}`
}

export function parseQueueName(name: string): { readonly workspaceId: string; readonly label: string } {
  const [workspaceId = '', label = ''] = name.split('/')
  return { workspaceId, label }
}
