/** A reply, not parsed yet. */
export interface EarlyReply {
  readonly status: number
  readonly text: string
}

/** What was asked before the app's code had arrived; absent where it was not asked. */
export interface EarlyReplies {
  readonly me: EarlyReply
  readonly run?: EarlyReply
  readonly results?: EarlyReply
  readonly outcomes?: EarlyReply
}

declare global {
  var assayEarly: Promise<EarlyReplies | null> | undefined
}

/**
 * Asks for what the first page begins with, while the browser still reads the app's code: a script of its own that imports nothing, so
 * that no answer waits for a schema, a component or another answer that it does not need. The app checks and parses what came.
 */
globalThis.assayEarly = askEarly(location).catch(() => null)

async function askEarly({ pathname, search }: Location): Promise<EarlyReplies> {
  const me = await ask('/v1/me')
  const runId = /^\/runs\/([\da-f-]{36})$/.exec(pathname)?.[1]
  const workspaces = me.status === 200 ? (JSON.parse(me.text) as { workspaces?: readonly { id: string }[] }).workspaces : undefined
  const kept = localStorage.getItem('assay.workspace')
  const workspace = (workspaces?.find(({ id }) => id === kept) ?? workspaces?.[0])?.id
  if (runId === undefined || workspace === undefined) return { me }
  const run = await ask(`/v1/runs/${runId}`, workspace)
  const version = run.status === 200 ? (JSON.parse(run.text) as { result_version?: number | null }).result_version : null
  // An address that names a version is not the first look.
  if (typeof version !== 'number' || search.includes('version=')) return { me, run }
  const [results, outcomes] = await Promise.all([
    ask(`/v1/runs/${runId}/results?version=${version}`, workspace),
    ask(`/v1/runs/${runId}/outcomes`, workspace),
  ])
  return { me, run, results, outcomes }
}

async function ask(url: string, workspace?: string): Promise<EarlyReply> {
  const headers = { accept: 'application/json', ...(workspace === undefined ? {} : { 'x-workspace-id': workspace }) }
  const reply = await fetch(url, { credentials: 'same-origin', headers })
  return { status: reply.status, text: await reply.text() }
}
