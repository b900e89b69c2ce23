import type { Connection } from '../../../src/contract/connections/connections.schemas.ts'
import type { QuoteRequest } from '../../../src/contract/quotes/quotes.schemas.ts'
import type { Run } from '../../../src/contract/runs/runs.schemas.ts'
import { type ModelServer, type ModelServerOptions, startModelServer } from '../../journeys/model-server/server.ts'
import { profileId, quote, submit } from '../../support/runs.ts'
import type { TestClient } from '../../support/service.ts'

export interface Replay {
  readonly server: ModelServer
  readonly connection: Connection
}

/** A scripted model behind a connection that was checked. Close the server at the end. */
export async function connectReplay(
  client: TestClient,
  options: ModelServerOptions,
  limits: Partial<Connection['limits']> = {},
  rates: Connection['rates'] = null,
): Promise<Replay> {
  const server = await startModelServer(options)
  const { id } = await client.call('createConnection', {
    body: { kind: 'openai_compatible', name: `Replay ${server.baseUrl}`, base_url: server.baseUrl, model: 'replay', limits, rates },
  })
  return { server, connection: await client.call('checkConnection', { params: { connection_id: id } }) }
}

/** A run of a connection over the first `tasks` tasks of a bundled benchmark. */
export async function submitReplay(
  client: TestClient,
  { connection }: Replay,
  tasks: number,
  name: string,
  execution: Partial<QuoteRequest['execution']> = {},
): Promise<Run> {
  const { id } = await quote(client, {
    model: { kind: 'connection', connection_id: connection.id },
    profiles: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')],
    coverage: { mode: 'sample', sample_count: tasks, seed: 1 },
    execution: { max_attempts: 2, ...execution },
  })
  return submit(client, id, name)
}
