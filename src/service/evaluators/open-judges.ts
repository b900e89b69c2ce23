import type { Rates } from '../../contract/catalog/models.schemas.ts'
import { type Connection, ConnectionLimits, type ProbedCapability } from '../../contract/connections/connections.schemas.ts'
import { ApiError, invalidField } from '../../contract/errors.ts'
import type { EvaluatorDefinition, JudgeDefinition, JudgeModel } from '../../contract/evaluators/evaluator-definition.schemas.ts'
import type { MediaPart } from '../../contract/messages/messages.schemas.ts'
import { defaultThrottlePatienceMs } from '../../contract/runs/failure-codes.ts'
import { findBaseline } from '../../engine/execution/baselines/baseline-routes.ts'
import { type MediaRule, mediaRuleOf } from '../../engine/clients/tokens/media-tokens.ts'
import { filesSentBy } from '../../engine/clients/wire/sent-parts.ts'
import type { ModelClient } from '../../engine/clients/model-client.ts'
import { createSimulatedJudge, simulatedJudge } from '../../engine/execution/judging/simulated-judge.ts'
import { type JudgeEndpoint, judgeGaveUp } from '../../engine/execution/judging/judge-caller.ts'
import type { JudgeMeans } from '../../engine/execution/judging/judge-request.ts'
import { judgePrices } from '../../engine/execution/judging/price-judge-call.ts'
import { type EndpointWait, waiterName } from '../../engine/execution/scheduler/endpoint-waits.ts'
import type { Limiters } from '../../engine/execution/scheduler/limiters.ts'
import type { EndpointLimits } from '../../engine/execution/scheduler/ports.ts'
import type { SpendCap } from '../../engine/execution/scheduler/spend-cap.ts'
import type { Refusal } from '../../engine/execution/scheduler/throttle-pause.ts'
import { embedderModel } from './compare-embeddings.ts'
import type { JudgeOwner } from './judge-budgets.store.ts'
import { type Connections, endpointLimits, endpointName, free } from '../connections/index.ts'

/** A model as a judge. */
export interface JudgeFacts extends JudgeMeans {
  readonly name: string
  /** As its provider calls it. */
  readonly model: string
  readonly rates: Rates | null
  /** How its provider counts the tokens of files; null where no rule is known. */
  readonly mediaRule: MediaRule | null
  /** The wallet pays for managed routes, the user's own provider account for connections. */
  readonly payer: 'wallet' | 'provider'
  /** Null when it can be called now. */
  readonly unavailable: string | null
}

/** @throws ApiError not_found or validation_error for a model that can't judge */
export function judgeFacts(
  connections: Connections,
  workspaceId: string,
  { model }: JudgeModel,
  loc: readonly (string | number)[],
  use: 'chat' | 'embeddings' = 'chat',
): JudgeFacts {
  if (model.kind === 'managed' && model.route_id === simulatedJudge.routeId)
    return {
      ...readsText,
      name: simulatedJudge.title,
      model: model.route_id,
      rates: free,
      mediaRule: null,
      payer: 'wallet',
      unavailable: null,
    }
  if (model.kind === 'managed') {
    if (findBaseline(model.route_id))
      throw invalidField([...loc, 'route_id'], `${model.route_id} is a baseline, not a model, so it can't judge`)
    const found = connections.routes(workspaceId).find(({ route }) => route.route_id === model.route_id)
    if (!found)
      throw invalidField(
        [...loc, 'route_id'],
        `there is no model route "${model.route_id.slice(0, 100)}"; GET /v1/catalog/models lists them`,
      )
    const { route, protocol } = found
    return {
      structured: false,
      sees: new Set(protocol === null ? [] : filesSentBy(protocol)),
      name: route.title,
      model: route.route_id,
      rates: route.rates,
      mediaRule: protocol && mediaRuleOf(protocol, route.route_id),
      payer: 'wallet',
      unavailable: route.availability.status === 'ready' ? null : route.availability.reasons.join(' '),
    }
  }
  const connection = connections.find(workspaceId, model.connection_id)
  if (!connection) throw invalidField([...loc, 'connection_id'], `there is no connection "${model.connection_id}" in this workspace`)
  if (connection.kind === 'agent_to_agent')
    throw invalidField([...loc, 'connection_id'], `the connection "${connection.name}" is an agent; judges are models`)
  if (!connection.capabilities.includes(use))
    throw invalidField(
      [...loc, 'connection_id'],
      use === 'chat'
        ? `the connection "${connection.name}" returns embeddings and can't judge; choose one that chats`
        : `the connection "${connection.name}" returns no embeddings; choose one with the protocol openai_embeddings`,
    )
  const unavailable = connection.status === 'ready' ? null : `The connection "${connection.name}" is ${connection.status}. Check it first.`
  return {
    name: connection.name,
    model: connection.model,
    rates: connection.rates,
    mediaRule: mediaRuleOf(connection.protocol, connection.model),
    payer: 'provider',
    structured: connection.capabilities.includes('tools'),
    sees: new Set(filesSentBy(connection.protocol).filter(kind => !provedBlind(connection, kind))),
    unavailable,
  }
}

/** The models that an evaluator asks by itself, parts left out. @throws ApiError as `judgeFacts` does */
export function modelFacts(
  connections: Connections,
  workspaceId: string,
  definition: EvaluatorDefinition,
  loc: readonly (string | number)[],
): JudgeFacts[] {
  if (definition.kind === 'embedding') return [judgeFacts(connections, workspaceId, embedderModel(definition), loc, 'embeddings')]
  return definition.kind === 'model_graded' ? definition.judges.map(judge => judgeFacts(connections, workspaceId, judge, loc)) : []
}

/** What a model that writes texts is. @throws ApiError as `judgeFacts` does, and for the bundled judge, which says only verdicts */
export function writerFacts(
  connections: Connections,
  workspaceId: string,
  judge: JudgeModel,
  loc: readonly (string | number)[],
): JudgeFacts {
  const { model } = judge
  if (model.kind === 'managed' && model.route_id === simulatedJudge.routeId)
    throw invalidField(
      [...loc, 'route_id'],
      `${simulatedJudge.routeId} counts words and can't write texts; choose a connection or another model route`,
    )
  return judgeFacts(connections, workspaceId, judge, loc)
}

const readsText: JudgeMeans = { structured: false, sees: new Set() }
const capabilityOf: Readonly<Record<MediaPart['type'], ProbedCapability>> = { image: 'images', audio: 'audio', document: 'documents' }

/** Its check showed it such a file, and it did not answer what is in it. */
function provedBlind({ last_check: check }: Connection, kind: MediaPart['type']): boolean {
  return check?.capabilities.some(({ capability, verified }) => capability === capabilityOf[kind] && !verified) ?? false
}

export interface OpenJudges {
  readonly endpoints: readonly JudgeEndpoint[]
  readonly payers: readonly JudgeFacts['payer'][]
  close(): Promise<void>
}

/**
 * Opens a client for each judge; those of one endpoint share its limiter with runs.
 * @param owner work that waits for them
 * @param options `patienceMs`: milliseconds without a single answer for which an endpoint is waited for while it takes no calls; `what`: what
 * they are called for people
 */
export async function openJudges(
  { connections, limiters }: { readonly connections: Connections; readonly limiters: Limiters },
  workspaceId: string,
  { judges }: JudgeDefinition,
  owner: Pick<JudgeOwner, 'kind' | 'id'>,
  spendingOf: (payer: JudgeFacts['payer']) => SpendCap | null,
  {
    patienceMs = defaultThrottlePatienceMs,
    what = 'judge',
    use = 'chat',
  }: { readonly patienceMs?: number | undefined; readonly what?: EndpointWait['what']; readonly use?: 'chat' | 'embeddings' } = {},
): Promise<OpenJudges> {
  const opened: { readonly endpoint: JudgeEndpoint; readonly payer: JudgeFacts['payer']; leave(): void }[] = []
  const close = async () => {
    for (const { leave } of opened) leave()
    await Promise.all(opened.map(({ endpoint }) => endpoint.client.close()))
  }
  try {
    for (const judge of judges) {
      const facts = judgeFacts(connections, workspaceId, judge, ['judges'], use)
      const called = `${use === 'chat' ? 'judge' : 'embedding model'} ${facts.name}`
      const { name, client, limits } = await openModel(connections, workspaceId, judge)
      const givenUp = new AbortController()
      const gaveUp = (refusal: Refusal) => givenUp.abort(judgeGaveUp(called, refusal, patienceMs))
      const user = { limits, client, patienceMs, gaveUp }
      const { limiter, leave } = limiters.join(name, user)
      const leaveWaits = limiters.waits.add(waiterName(owner), {
        view: () => ({ what, name: facts.name, endpoint: limiter.view(), givesUpInMs: limiter.givesUpInMs(user) }),
        skip: () => {
          limiter.circuit.probeNow()
          limiter.skipPause()
        },
      })
      const endpoint: JudgeEndpoint = {
        name: called,
        client,
        limiter,
        gaveUp: givenUp.signal,
        prices: judgePrices(facts.rates),
        spending: spendingOf(facts.payer),
        structured: facts.structured,
        sees: facts.sees,
      }
      opened.push({
        endpoint,
        payer: facts.payer,
        leave: () => {
          leaveWaits()
          leave()
        },
      })
    }
  } catch (error) {
    await close()
    throw error
  }
  return { endpoints: opened.map(({ endpoint }) => endpoint), payers: opened.map(({ payer }) => payer), close }
}

async function openModel(
  connections: Connections,
  workspaceId: string,
  { model }: JudgeModel,
): Promise<{ name: string; client: ModelClient; limits: EndpointLimits }> {
  if (model.kind === 'managed' && model.route_id === simulatedJudge.routeId)
    return { name: model.route_id, client: createSimulatedJudge(), limits: endpointLimits(ConnectionLimits.parse({})) }
  if (model.kind === 'managed') {
    const { endpoint, client, limits } = await connections.openRoute(workspaceId, model.route_id)
    return { name: endpoint, client, limits: endpointLimits(limits) }
  }
  const connection = connections.find(workspaceId, model.connection_id)
  if (!connection || connection.status === 'disabled')
    throw new ApiError(
      'conflict',
      `The connection of a judge, "${connection?.name ?? model.connection_id}", is disabled or gone. Save a version with another judge.`,
    )
  return {
    name: endpointName(connection.id),
    client: await connections.open(workspaceId, connection.id),
    limits: endpointLimits(connection.limits),
  }
}
