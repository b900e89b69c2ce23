import type { QueryClient } from '@tanstack/react-query'
import type { Api, OperationId } from '../../contract/api.ts'
import { parseWireReply } from '../../contract/client.ts'
import type { Response } from '../../contract/endpoint.ts'
import { endpointOf } from '../api/endpoints.ts'
import { ME } from '../api/query-client.ts'
import type { EarlyReply } from '../early.ts'
import { resultsQuery } from '../results/results.queries.ts'
import { runQuery } from '../runs/runs.queries.ts'
import { keepOutcomes } from '../strip/strip.queries.ts'

/** Longest wait for the early replies. Usually they are already there; if the service is slow, the pages ask again. */
const PATIENCE_MS = 300

/** Gives the first page the answers that `early.ts` asked for, so that it is drawn once, with all of them. */
export async function primeQueries(client: QueryClient): Promise<void> {
  const early = await Promise.race([globalThis.assayEarly, new Promise<null>(resolve => setTimeout(() => resolve(null), PATIENCE_MS))])
  if (!early) return
  const me = await parsed('getMe', early.me)
  if (!me) return
  client.setQueryData(ME, me)
  const run = await parsed('getRun', early.run)
  if (!run) return
  client.setQueryData(runQuery(run.id).queryKey, run)
  const results = await parsed('getRunResults', early.results)
  if (results) client.setQueryData(resultsQuery(run.id, results.result_version).queryKey, results)
  const outcomes = await parsed('getSampleOutcomes', early.outcomes)
  if (outcomes) keepOutcomes(client, run, outcomes)
}

/** Null for a refusal and for a reply that violates the contract: the page that needs it asks itself, and shows what is wrong. */
async function parsed<Id extends OperationId>(id: Id, reply: EarlyReply | undefined): Promise<Response<Api[Id]> | null> {
  if (reply?.status !== 200) return null
  try {
    // The schema that parses it is the one that the type was inferred from.
    return parseWireReply(id, await endpointOf(id), reply) as Response<Api[Id]>
  } catch {
    return null
  }
}
