import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { requireFound } from '../../contract/errors.ts'
import { remoteScorerMachine } from '../../contract/evaluators/remote-scorer.machine.ts'
import {
  type NewRemoteScorer,
  type RemoteScorer,
  remoteScorerProtocol,
  type RemoteScorerUpdate,
  type RemoteScorerWithSecret,
} from '../../contract/evaluators/remote-scorers.schemas.ts'
import { illegalTransition } from '../../contract/machine.ts'
import { createRemoteScorerClient, type RemoteScorerClient } from '../../engine/clients/remote-scorers/remote-scorer-client.ts'
import { newSigningSecret } from '../../engine/clients/remote-scorers/sign-request.ts'
import type { WaitSource } from '../../engine/execution/scheduler/endpoint-waits.ts'
import { graded, lost, unscored } from '../../engine/grading/scorers/verdict.ts'
import type { Score } from '../../engine/grading/scorers/scorer.ts'
import { transition } from '../../storage/transition.ts'
import type { Asker } from '../http/handler.ts'
import type { SecretPlace } from '../host.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { assertOutgoingUrl, type NetworkLog, outgoingAddressPolicy } from '../network/index.ts'
import { sealSecret, unsealSecret } from '../sealed-secret.ts'
import type { EvaluatedItem } from './evaluated-item.ts'
import type { JudgeOwner } from './judge-budgets.store.ts'
import {
  findScorer,
  insertRemoteCall,
  insertScorer,
  listScorers,
  setDisabledReason,
  type StoredScorer,
  updateScorer,
} from './remote-scorers.store.ts'
import type { PageQuery } from '../../storage/keyset.ts'

const column = { table: 'remote_scorers', column: 'status' } as const
/** How long a replaced secret still signs. */
const rotationMs = 24 * 3_600_000

const Secret = z.strictObject({ current: z.string(), old: z.string().nullable(), headers: z.record(z.string(), z.string()) })
type Secret = z.infer<typeof Secret>

/** One output for a scorer. */
export interface RemoteQuestion {
  readonly owner: JudgeOwner
  readonly item: EvaluatedItem
  readonly requestId: string
  readonly name: string
  readonly version: number
  readonly options: Readonly<Record<string, unknown>>
}

export interface OpenScorer {
  /** Absent where it is disabled. */
  readonly waits?: WaitSource
  score(question: RemoteQuestion, signal: AbortSignal): Promise<Score>
  close(): Promise<void>
}

export type RemoteScorers = ReturnType<typeof createRemoteScorers>

export function createRemoteScorers(kernel: Kernel, network: NetworkLog) {
  const { db, clock, ids, host } = kernel
  const ownOrigin = () => `http://127.0.0.1:${kernel.accessPolicy().port}`

  const stored = (workspaceId: string, id: string): StoredScorer => requireFound(findScorer(db, workspaceId, id), 'remote scorer', id)
  const placeOf = (workspaceId: string, { id, url }: Pick<RemoteScorer, 'id' | 'url'>): SecretPlace => ({
    workspaceId,
    table: 'remote_scorers',
    rowId: id,
    origin: new URL(url).origin,
  })
  const seal = (secret: Secret, place: SecretPlace) => sealSecret(host.secrets, 'Signing secrets', secret, place)
  const unseal = (workspaceId: string, { record, secret }: StoredScorer): Promise<Secret> => {
    const place = placeOf(workspaceId, record)
    const message = `The stored signing secret can’t be decrypted: it was stored on another machine or for another scorer or address than ${place.origin}. Rotate the secret.`
    return unsealSecret(host.secrets, secret, place, Secret, message)
  }
  const clientFor = async (workspaceId: string, scorer: StoredScorer, patienceMs?: number): Promise<RemoteScorerClient> => {
    const { record } = scorer
    const { current, old, headers } = await unseal(workspaceId, scorer)
    const oldSigns = old !== null && record.old_secret_until !== null && timestamp(clock) < record.old_secret_until
    const url = new URL(record.url)
    return createRemoteScorerClient({
      url,
      secrets: oldSigns ? [current, old] : [current],
      headers,
      timeoutMs: record.timeout_ms,
      maxConcurrency: record.max_concurrency,
      ...(patienceMs !== undefined && { patienceMs }),
      addressPolicy: outgoingAddressPolicy(url, {
        allowPrivate: record.allow_private,
        ownOrigin: ownOrigin(),
        uses: 'remote scorers',
        proxies: network.proxies(),
      }),
      now: () => clock.now().getTime(),
      random: Math.random,
      sleep: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
      traffic: network.meterFor(workspaceId),
    })
  }
  const requireActive = ({ record }: StoredScorer, event: string) => {
    if (record.status !== 'active') throw illegalTransition('remote scorer', record.id, record.status, event)
  }
  const disable = (id: string, reason: string) =>
    db.transaction(() => {
      transition(db, remoteScorerMachine, column, id, 'disable', timestamp(clock), reason)
      setDisabledReason(db, id, reason, timestamp(clock))
    })

  return {
    list: (workspaceId: string, query: PageQuery) => listScorers(db, workspaceId, query),
    find: (workspaceId: string, id: string): RemoteScorer | null => findScorer(db, workspaceId, id)?.record ?? null,

    require: (workspaceId: string, id: string): RemoteScorer => stored(workspaceId, id).record,

    create: async (registrant: Asker, body: NewRemoteScorer): Promise<RemoteScorerWithSecret> => {
      assertOutgoingUrl(body.url, body.allow_private, registrant, ownOrigin())
      const current = newSigningSecret()
      const now = timestamp(clock)
      const { headers, ...fields } = body
      const record: RemoteScorer = {
        id: ids.next(),
        ...fields,
        status: 'active',
        disabled_reason: null,
        header_names: Object.keys(headers),
        old_secret_until: null,
        last_test: null,
        created_at: now,
        updated_at: now,
      }
      const secret = await seal({ current, old: null, headers }, placeOf(registrant.workspace.id, record))
      insertScorer(db, registrant.workspace.id, { record, secret })
      return { ...record, signing_secret: current }
    },

    update: async (registrant: Asker, id: string, { headers, status, ...change }: RemoteScorerUpdate): Promise<RemoteScorer> => {
      const before = stored(registrant.workspace.id, id)
      const fields = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
      const record: RemoteScorer = { ...before.record, ...fields, updated_at: timestamp(clock) }
      if (change.url !== undefined || change.allow_private !== undefined)
        assertOutgoingUrl(record.url, record.allow_private, registrant, ownOrigin())
      const plain = await unseal(registrant.workspace.id, before)
      // Headers may hold a key, which is for the origin that it was given for.
      const sameOrigin = new URL(record.url).origin === new URL(before.record.url).origin
      const kept = headers ?? (sameOrigin ? plain.headers : {})
      const secret = await seal({ ...plain, headers: kept }, placeOf(registrant.workspace.id, record))
      return db.transaction(() => {
        if (status === 'active' && before.record.status === 'disabled')
          transition(db, remoteScorerMachine, column, before.record.id, 'enable', record.updated_at)
        updateScorer(db, {
          record: { ...record, header_names: Object.keys(kept), disabled_reason: status === 'active' ? null : record.disabled_reason },
          secret,
        })
        return stored(registrant.workspace.id, id).record
      })
    },

    disable: (workspaceId: string, id: string): RemoteScorer => {
      const { record } = stored(workspaceId, id)
      if (record.status === 'active') disable(record.id, 'Disabled by a user.')
      return stored(workspaceId, id).record
    },

    test: async (workspaceId: string, id: string, signal: AbortSignal): Promise<RemoteScorer> => {
      const scorer = stored(workspaceId, id)
      requireActive(scorer, 'test')
      const client = await clientFor(workspaceId, scorer)
      try {
        const result = await client.ping(`msg_${ids.next()}`, signal)
        const at = timestamp(clock)
        const last: RemoteScorer['last_test'] = result.ok
          ? {
              at,
              ok: true,
              code: null,
              message: 'The scorer answered the ping.',
              latency_ms: result.latencyMs,
              scorers: result.scorers.map(({ name, version }) => ({ name, version: String(version) })),
            }
          : { at, ok: false, code: result.code, message: result.message, latency_ms: null, scorers: [] }
        return db.transaction(() => {
          const now = stored(workspaceId, id)
          updateScorer(db, { ...now, record: { ...now.record, last_test: last } })
          return stored(workspaceId, id).record
        })
      } finally {
        await client.close()
      }
    },

    rotate: async (workspaceId: string, id: string): Promise<RemoteScorerWithSecret> => {
      const scorer = stored(workspaceId, id)
      // A secret that can no longer be decrypted is replaced all the same.
      const plain = await unseal(workspaceId, scorer).catch(() => ({ current: null, headers: {} }))
      const current = newSigningSecret()
      const secret = await seal({ current, old: plain.current, headers: plain.headers }, placeOf(workspaceId, scorer.record))
      const until = plain.current === null ? null : new Date(clock.now().getTime() + rotationMs).toISOString()
      return db.transaction(() => {
        const { record } = stored(workspaceId, id)
        updateScorer(db, {
          record: { ...record, old_secret_until: until, header_names: Object.keys(plain.headers), updated_at: timestamp(clock) },
          secret,
        })
        return { ...stored(workspaceId, id).record, signing_secret: current }
      })
    },

    /**
     * A scorer as an evaluation asks it. Whatever fails is unscored, with the reason.
     * @param patienceMs milliseconds without a single answer for which it is waited for while it takes no calls
     */
    open: async (workspaceId: string, id: string, patienceMs?: number): Promise<OpenScorer> => {
      const scorer = stored(workspaceId, id)
      const { record } = scorer
      if (record.status !== 'active') {
        const reason = `The remote scorer ${record.name} is disabled. ${record.disabled_reason ?? ''}`.trim()
        return { score: async () => ({ ...unscored(reason), label: 'scorer_disabled' }), close: async () => {} }
      }
      const client = await clientFor(workspaceId, scorer, patienceMs)
      let gone: string | null = null
      return {
        close: () => client.close(),
        waits: {
          view: () => ({ what: 'scorer', name: record.name, ...client.wait() }),
          skip: client.skip,
        },
        score: async (question, signal) => {
          if (gone !== null) return { ...unscored(gone), label: 'gone' }
          const {
            verdict,
            tries,
            gone: isGone,
            lost: isLost,
          } = await client.score({ id: question.requestId, body: scorerRequest(question, record.timeout_ms) }, signal)
          insertRemoteCall(db, {
            owner: question.owner,
            item: question.item.item,
            scorerId: record.id,
            requestId: question.requestId,
            tries: tries.length,
            httpStatus: tries.at(-1)?.httpStatus ?? null,
            code: verdict.kind === 'unscored' ? verdict.code : null,
            reason: verdict.kind === 'unscored' ? verdict.reason : null,
            value: verdict.kind === 'scored' ? verdict.value : null,
            startedAt: tries[0]?.startedAt ?? 0,
            finishedAt: tries.at(-1)?.finishedAt ?? 0,
          })
          if (verdict.kind === 'unscored') {
            if (isGone && gone === null) {
              gone = verdict.reason
              if (findScorer(db, workspaceId, id)?.record.status === 'active') disable(record.id, verdict.reason)
            }
            return { ...(isLost ? lost('scorer', verdict.reason) : unscored(verdict.reason)), label: verdict.code }
          }
          return graded(verdict.value, {
            answer: verdict.answer,
            explanation: verdict.explanation || `The scorer ${record.name} gave ${verdict.value}.`,
            values: verdict.values,
            ...(verdict.label !== null && { label: verdict.label }),
          })
        },
      }
    },
  }
}

/** A request of the protocol, to the byte but for its signature. */
export function scorerRequest(
  {
    owner,
    item,
    requestId,
    name,
    version,
    options,
  }: Omit<RemoteQuestion, 'owner'> & { readonly owner: { readonly kind: string; readonly id: string } },
  deadlineMs: number,
) {
  const { sample = { id: item.item } } = item
  const facts = { model: sample.model ?? null, usage: sample.usage ?? null, stopReason: sample.stopReason ?? null }
  return {
    protocol: remoteScorerProtocol.name,
    revision: remoteScorerProtocol.revision,
    requestId,
    run: { id: sample.run?.id ?? owner.id, kind: owner.kind, attempt: sample.run?.attempt ?? 1 },
    scorer: { name, version, config: options },
    sample: {
      id: sample.id,
      sample_id: sample.sampleId ?? item.item,
      epoch: sample.epoch ?? 1,
      input: item.input,
      messages: sample.messages ?? [{ role: 'user', content: item.input }],
      target: item.targets,
      ...(item.choices && { choices: item.choices }),
      metadata: item.metadata,
    },
    output: { ...(typeof item.output === 'string' ? { text: item.output } : item.output), ...facts },
    limits: { deadlineMs },
  }
}

/** Of one output under one evaluator, the same over restarts. A sample that is retried has another output. */
export function scorerRequestId(
  owner: Pick<JudgeOwner, 'kind' | 'id'>,
  evaluatorVersionId: string,
  { item, sample }: EvaluatedItem,
): string {
  const parts = [owner.kind, owner.id, evaluatorVersionId, item, sample?.run?.attempt ?? 1]
  return `msg_${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)}`
}
