/** Of PostgreSQL: one for each label of each workspace. */
export function queueName(workspaceId: string, label: string): string {
  return `${workspaceId}/${label}`
}

export function parseQueueName(name: string): { readonly workspaceId: string; readonly label: string } {
  const [workspaceId = '', label = ''] = name.split('/')
  return { workspaceId, label }
}

/** Where a queue's jobs go that have used up their attempts. Labels have no slash, so that this is not a queue of a label. */
export function exhaustedOf(name: string): string {
  return `${name}/exhausted`
}
