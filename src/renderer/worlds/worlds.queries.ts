import { useMutation, useQuery } from '@tanstack/react-query'
import type { NewAttack } from '../../contract/worlds/attacks.schemas.ts'
import type { NewWorldDraft } from '../../contract/worlds/drafts.schemas.ts'
import type { TryWorld } from '../../contract/worlds/play.schemas.ts'
import type { NewWorld, WorldDefinition } from '../../contract/worlds/worlds.schemas.ts'
import { useCreation } from '../api/changes.ts'
import { call } from '../api/client.ts'
import { modelOf } from '../quotes/model-value.ts'

/** The newest version of an environment of the workspace; null where it has none of that slug. */
export function useLatestWorld(slug: string | null) {
  return useQuery({
    queryKey: ['worlds', 'latest', slug],
    enabled: slug !== null,
    queryFn: async ({ signal }) => {
      const { items } = await call('listEnvironmentVersions', { query: { slug: slug ?? '', limit: 1 } }, { signal })
      const [latest] = items
      if (!latest) return null
      return call('getEnvironmentVersion', { params: { environment_version_id: latest.id } }, { signal })
    },
  })
}

/** Drafts a world of traces; it is made once for the page and not again while it is edited. */
export function useWorldDraft(traceIds: readonly string[]) {
  return useQuery({
    queryKey: ['worlds', 'draft', ...traceIds],
    enabled: traceIds.length > 0,
    staleTime: Infinity,
    queryFn: ({ signal }) => call('draftEnvironment', { body: { trace_ids: [...traceIds] } }, { signal }),
  })
}

/** A draft that is made in the background; its job tells when to read it again. */
export function useStoredDraft(id: string) {
  return useQuery({
    queryKey: ['worlds', 'drafts', id],
    queryFn: ({ signal }) => call('getEnvironmentDraft', { params: { environment_draft_id: id } }, { signal }),
    staleTime: ({ state }) => (state.data?.worlds ? Infinity : 0),
  })
}

export const useStartDraft = () =>
  useCreation('environment-draft', (body: NewWorldDraft, headers) => call('startEnvironmentDraft', { body, headers }))

export const useSaveWorld = () =>
  useCreation(
    'new-environment',
    (body: NewWorld, headers) => call('createEnvironment', { body, headers }),
    ['catalog'],
    ['worlds', 'latest'],
  )

/** Attacks the newest version of an environment of the workspace. */
export const useAttackWorld = (slug: string) =>
  useCreation(
    `attack-${slug}`,
    async (body: NewAttack, headers) => {
      const { items } = await call('listEnvironmentVersions', { query: { slug, limit: 1 } })
      return call('attackEnvironment', { params: { environment_version_id: items[0]?.id ?? '' }, body, headers })
    },
    ['catalog'],
  )

/** Not idempotent: each press writes other texts. */
export function useWriteAttacks() {
  return useMutation({
    mutationFn: ({ model, limit }: { readonly model: string; readonly limit: string | null }) => {
      return call('rewriteAttacks', {
        body: { model: { model: modelOf(model) }, ...(limit !== null && { max_charge_microusd: limit }) },
        headers: { 'idempotency-key': crypto.randomUUID() },
      })
    },
  })
}

export function useCheckWorld() {
  return useMutation({ mutationFn: (definition: WorldDefinition) => call('checkEnvironment', { body: { definition } }) })
}

export function useTryWorld() {
  return useMutation({ mutationFn: (body: TryWorld) => call('tryEnvironment', { body }) })
}
