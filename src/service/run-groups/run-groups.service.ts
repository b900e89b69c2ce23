import { type Comparison, NewComparison } from '../../contract/comparisons/comparisons.schemas.ts'
import { ApiError, invalidField, requireFound } from '../../contract/errors.ts'
import { illegalTransition, isTerminal } from '../../contract/machine.ts'
import type { Quote } from '../../contract/quotes/quotes.schemas.ts'
import type {
  GroupedRun,
  NewRunGroup,
  RunGroup,
  RunGroupQuote,
  RunGroupQuoteRequest,
} from '../../contract/run-groups/run-groups.schemas.ts'
import { runMachine } from '../../contract/runs/run.machine.ts'
import { measuredName } from '../../lib/format/benchmark-names.ts'
import type { Comparisons } from '../comparisons/index.ts'
import { createSingleFlight } from '../../lib/single-flight.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { PreparedQuote, Quotes } from '../quotes/index.ts'
import type { Runs } from '../runs/index.ts'
import {
  findGroup,
  type GroupRow,
  insertGroup,
  keepComparison,
  listGroups,
  type RunGroupsQuery,
  runsOfGroup,
  spentBy,
} from './run-groups.store.ts'
import { shareLimit } from './share-limit.ts'

export type RunGroups = ReturnType<typeof createRunGroups>

interface RunGroupsDependencies {
  readonly comparisons: Comparisons
  readonly quotes: Quotes
  readonly runs: Runs
}

const longestName = 200

/** A group is a list of runs: status, money and scores are those of its runs. */
export function createRunGroups(kernel: Kernel, { comparisons, quotes, runs }: RunGroupsDependencies) {
  const { db, clock, ids } = kernel

  const rowOf = (workspaceId: string, id: string): GroupRow => requireFound(findGroup(db, workspaceId, id), 'run group', id)
  const runsOf = (workspaceId: string, { id }: GroupRow): GroupedRun[] =>
    runsOfGroup(db, id).map(runId => {
      const run = runs.read(workspaceId, runId)
      return { run, scores: runs.scores(workspaceId, run) }
    })
  const describe = (workspaceId: string, row: GroupRow): RunGroup => {
    const grouped = runsOf(workspaceId, row)
    const accounts = grouped.map(({ run }) => run.accounting)
    const provider = accounts.map(account => account.max_provider_billed_microusd)
    return {
      id: row.id,
      name: row.name,
      created_at: row.created_at,
      ended: grouped.every(({ run }) => isTerminal(runMachine, run.status)),
      runs: grouped,
      max_charge_microusd: sumOf(accounts.map(account => account.max_charge_microusd)) ?? '0',
      max_provider_billed_microusd: provider.every(limit => limit === null) ? null : sumOf(provider.map(limit => limit ?? '0')),
      charged_microusd: sumOf(accounts.map(account => account.charged_microusd)) ?? '0',
      provider_billed_microusd: sumOf(accounts.map(account => account.provider_billed_microusd)),
      comparison_id: row.comparison_id === null ? null : currentComparison(workspaceId, row.comparison_id, grouped),
    }
  }
  /** Null where a run has a newer result than the comparison. */
  const currentComparison = (workspaceId: string, id: string, grouped: readonly GroupedRun[]): string | null => {
    const compared = new Map(comparisons.read(workspaceId, id).runs.map(run => [run.run_id, run.result_version]))
    const comparable = grouped.filter(({ run }) => run.result_version !== null)
    const isCurrent = comparable.length === compared.size && comparable.every(({ run }) => compared.get(run.id) === run.result_version)
    return isCurrent ? id : null
  }

  /** By group and results; whoever asks while a comparison is made gets the same one. */
  const compareOnce = createSingleFlight<Comparison>()
  const compare = async (workspaceId: string, group: RunGroup): Promise<Comparison> => {
    if (group.comparison_id !== null) return comparisons.read(workspaceId, group.comparison_id)
    const run_ids = group.runs.flatMap(({ run }) => (run.result_version === null ? [] : [run.id]))
    const [baseline_id] = run_ids
    if (!group.ended || baseline_id === undefined || run_ids.length < 2)
      throw new ApiError(
        'result_not_ready',
        group.ended
          ? `${run_ids.length} of ${group.runs.length} runs of "${group.name}" have a result; a comparison needs two. Retry the others.`
          : `"${group.name}" is still running. Retry when every run has ended.`,
      )
    const comparison = await comparisons.create(workspaceId, NewComparison.parse({ name: group.name, run_ids, baseline_id }))
    keepComparison(db, group.id, comparison.id)
    return comparison
  }

  const prepare = async (
    workspaceId: string,
    { models, ...terms }: RunGroupQuoteRequest,
  ): Promise<{ readonly quote: RunGroupQuote; store(): void }> => {
    const made: PreparedQuote[] = []
    for (const [i, model] of models.entries()) made.push(await quotes.prepare(workspaceId, { ...terms, model }).catch(atModel(i)))
    const all = made.map(({ quote }) => quote)
    const costs = all.map(quote => quote.cost)
    const quote: RunGroupQuote = {
      quotes: all,
      compatible: all.every(({ compatibility }) => compatibility.status === 'compatible'),
      model_calls: all.reduce((sum, { counts }) => sum + counts.model_calls, 0),
      estimated_charge_microusd: sumOf(costs.map(cost => cost.estimated_charge_microusd)) ?? '0',
      upper_bound_microusd: sumOf(costs.map(cost => cost.upper_bound_microusd)) ?? '0',
      provider_billed_estimate_microusd: sumOf(costs.map(cost => cost.provider_billed_estimate_microusd)),
      expires_at: all.map(({ expires_at: at }) => at).sort()[0] ?? timestamp(clock),
    }
    return {
      quote,
      store: () => {
        for (const one of made) one.store()
      },
    }
  }

  return {
    quote: async (workspaceId: string, request: RunGroupQuoteRequest): Promise<RunGroupQuote> => {
      const { quote, store } = await prepare(workspaceId, request)
      db.transaction(store)
      return quote
    },
    prepare,
    /** Every run or none: one that is refused takes back those before it. */
    create: (workspaceId: string, principalId: string, body: NewRunGroup): RunGroup => {
      const quoteIds = body.quote_ids.map(id => id.toLowerCase())
      const twice = quoteIds.findIndex((id, i) => quoteIds.indexOf(id) < i)
      if (twice >= 0) throw invalidField(['body', 'quote_ids', twice], `"${quoteIds[twice]}" is there twice; each quote becomes one run`)
      const reviewed = quoteIds.map(id => quotes.read(workspaceId, id))
      const wallet = shareLimit(
        BigInt(body.max_charge_microusd),
        reviewed.map(({ cost }) => BigInt(cost.upper_bound_microusd)),
      )
      const provider = providerShares(body, reviewed)
      return db.transaction(() => {
        const id = ids.next()
        const runIds = reviewed.map((quote, i) => {
          const caps = { wallet: wallet[i] ?? 0n, provider: provider[i] ?? null }
          const name = measuredName(quote).slice(0, longestName)
          return runs.submit({ workspaceId, principalId, scope: 'runs:write', operationKey: null, quoteId: quote.id, name, caps }).run.id
        })
        insertGroup(db, { id, workspaceId, name: body.name, createdAt: timestamp(clock), runIds })
        return describe(workspaceId, rowOf(workspaceId, id))
      })
    },
    list: (workspaceId: string, query: RunGroupsQuery) =>
      listGroups(db, workspaceId, query, ({ id, name, created_at }) => ({ id, name, created_at, run_ids: runsOfGroup(db, id) })),
    read: (workspaceId: string, id: string): RunGroup => describe(workspaceId, rowOf(workspaceId, id)),
    spent: (workspaceId: string, id: string): bigint => spentBy(db, rowOf(workspaceId, id).id),
    cancel: (workspaceId: string, id: string): RunGroup => {
      const row = rowOf(workspaceId, id)
      const open = runsOf(workspaceId, row).filter(({ run }) => !isTerminal(runMachine, run.status))
      if (open.length === 0) throw illegalTransition('run group', row.id, 'ended', 'cancel')
      for (const { run } of open) runs.cancel(workspaceId, run.id)
      return describe(workspaceId, row)
    },
    compare: (workspaceId: string, id: string): Promise<Comparison> => {
      const group = describe(workspaceId, rowOf(workspaceId, id))
      const key = JSON.stringify([group.id, group.runs.map(({ run }) => [run.id, run.result_version])])
      return compareOnce(key, () => compare(workspaceId, group))
    },
  }
}

/**
 * Null for a run that no provider bills: neither its model is a connection, nor a judge or simulated user of it. Without a limit of the
 * group, each quote keeps its own.
 */
function providerShares({ max_provider_billed_microusd: limit }: NewRunGroup, reviewed: readonly Quote[]): (bigint | null)[] {
  const bounds = reviewed.map(({ cost }) => amountOf(cost.provider_billed_upper_bound_microusd))
  const own = reviewed.map(({ execution }) => amountOf(execution.max_provider_billed_microusd))
  const shares = limit === null ? own : shareLimit(BigInt(limit), bounds)
  return reviewed.map(({ model }, i) => (model.kind !== 'connection' && bounds[i] === 0n ? null : (shares[i] ?? null)))
}

const amountOf = (text: string | null): bigint | null => (text === null ? null : BigInt(text))

/** Names the model of the request that a quote was refused for. */
function atModel(index: number): (error: unknown) => never {
  return error => {
    if (!(error instanceof ApiError)) throw error
    const detail = error.detail.map(one => (one.loc[1] === 'model' ? { ...one, loc: ['body', 'models', index, ...one.loc.slice(2)] } : one))
    throw new ApiError(error.code, error.message, { detail })
  }
}

/** Null where one of them is unknown. */
function sumOf(amounts: readonly (string | null)[]): string | null {
  const known = amounts.filter(amount => amount !== null)
  return known.length < amounts.length ? null : known.reduce((sum, amount) => sum + BigInt(amount), 0n).toString()
}
