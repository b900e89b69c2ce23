import { z } from 'zod'
import type { ProviderProject, ProviderResource, ResourceKind } from '../../../contract/traces/integrations.schemas.ts'
import type { TraceSource } from '../../../contract/traces/traces.schemas.ts'
import type { ProviderFault } from './provider-fault.ts'
import type { ProviderRequest } from './provider-transport.ts'

export type ProviderName = Exclude<TraceSource, 'otlp'>

/** A key pair, or one key. */
export interface ProviderCredentials {
  readonly key: string
  readonly secret: string | null
}

type Json = Readonly<Record<string, unknown>>

/** Sends a request and answers the JSON of its reply. */
export type Ask = (request: ProviderRequest) => Promise<unknown>

export interface Listed<Item> {
  readonly items: readonly Item[]
  readonly nextCursor: string | null
}

/** Which project of the provider. `workspace` is its name for people where the provider has such a level. */
export type Project = Pick<ProviderProject, 'id' | 'name' | 'workspace'>

/** A page of a dataset or an experiment. */
export interface ItemsQuery {
  readonly project: Project
  readonly kind: ResourceKind
  readonly resourceId: string
  readonly cursor: string | null
  readonly limit: number
  readonly version: string
}

export interface ProviderItem {
  readonly id: string
  readonly input: unknown
  readonly expected: unknown
  /** A candidate's, of an experiment. */
  readonly output: unknown
  readonly metadata: Json
  /** Why it is not an example; null where it is one. */
  readonly skip: string | null
  readonly raw: Json
}

/** Where a backfill is. Plain JSON, so that it can be stored with each page. */
export const BackfillPlace = z.strictObject({
  phase: z.enum(['spans', 'runs', 'scores']),
  /** Whether to use the provider's newer interface. */
  dialect: z.enum(['new', 'old']),
  cursor: z.string().nullable(),
  limit: z.int().min(1),
  from: z.string(),
  to: z.string(),
  /** Parts of the window that come after this one. */
  later: z.array(z.strictObject({ from: z.string(), to: z.string() })),
  /** Traces of this page whose spans are still to be read. */
  pending: z.array(
    z.strictObject({
      id: z.string(),
      from: z.string(),
      to: z.string(),
      /** That its spans add up to, where the provider states it. */
      tokens: z.number().optional(),
      /** The reply was short of spans, so they are requested once more in a wider window. */
      isWidened: z.boolean().optional(),
    }),
  ),
  /** The cursor was refused once and the window begun again. */
  restarted: z.boolean(),
})
export type BackfillPlace = z.infer<typeof BackfillPlace>

export interface BackfillWindow {
  readonly project: Project
  /** RFC 3339; `to` is not included. */
  readonly from: string
  readonly to: string
  readonly onlyRoots: boolean
}

/** One reply of a backfill, read. */
export interface BackfillPage {
  readonly spans: readonly Json[]
  readonly annotations: readonly Json[]
  /** Records of the reply, whatever became of them. */
  readonly received: number
  /** Null at the end of the window. */
  readonly next: BackfillPlace | null
}

/**
 * What differs between providers: addresses, requests and how replies are read. Everything but `Ask` is pure; nothing is ever written at the
 * provider.
 */
export interface TraceAdapter {
  readonly source: ProviderName
  readonly title: string
  /** Order of spans by their start; null where no order is promised. */
  readonly order: 'ascending' | 'descending' | null
  /** Whether the address is the provider's own cloud, whose rate limits are known. */
  readonly isHosted: (url: URL) => boolean
  /** Milliseconds between requests to the provider's own cloud: at first, and at least. */
  readonly pace: { readonly initialMs: number; readonly minimumMs: number }
  /** For a body without an address; null where one must be given. */
  readonly defaultBaseUrl: string | null
  /** The address as it is called, from what a person typed. */
  normalizeBaseUrl(typed: string): string
  headers(credentials: ProviderCredentials, project: Project | null): Record<string, string>
  /** Every form in which a message could show the credentials. */
  secrets(credentials: ProviderCredentials): readonly string[]
  projects(ask: Ask, cursor: string | null): Promise<Listed<Project>>
  /** @throws ProviderFault `not_found` where the key does not read it */
  project(ask: Ask, id: string | null): Promise<Project>
  resources(
    ask: Ask,
    query: { project: Project; kind: ResourceKind; cursor: string | null; limit: number },
  ): Promise<Listed<ProviderResource>>
  /** What the first page pins. @param now RFC 3339 */
  latestVersion(ask: Ask, query: Pick<ItemsQuery, 'project' | 'kind' | 'resourceId'>, now: string): Promise<string>
  itemsRequest(query: ItemsQuery, dialect: BackfillPlace['dialect']): ProviderRequest
  readItems(reply: unknown, query: ItemsQuery, dialect: BackfillPlace['dialect']): Listed<ProviderItem>
  startBackfill(window: BackfillWindow): BackfillPlace
  backfillRequest(place: BackfillPlace, window: BackfillWindow): ProviderRequest
  readBackfill(reply: unknown, place: BackfillPlace, window: BackfillWindow): BackfillPage
  /** The place to continue from after a refusal that this provider is known for; null where there is none. */
  recover(fault: ProviderFault, place: BackfillPlace, window: BackfillWindow): BackfillPlace | null
}

export function firstPlace(window: BackfillWindow, limit: number): BackfillPlace {
  return { phase: 'spans', dialect: 'new', cursor: null, limit, from: window.from, to: window.to, later: [], pending: [], restarted: false }
}

/** Whether an installation lacks the endpoint, so that its older one is tried. */
export function lacksEndpoint(fault: ProviderFault): boolean {
  return fault.status === 404 || fault.status === 405 || fault.status === 501
}

/** The window again from its start, once, after a cursor that is no longer taken: what was read is recognized. */
export function restartAfterRefusedCursor(fault: ProviderFault, place: BackfillPlace): BackfillPlace | null {
  const refused = (fault.status === 400 || fault.status === 422) && place.cursor !== null
  return refused && !place.restarted ? { ...place, cursor: null, pending: [], restarted: true } : null
}

/** The next part of the window, or null after the last. */
export function nextPart(place: BackfillPlace): BackfillPlace | null {
  const [next, ...later] = place.later
  return next ? { ...place, cursor: null, from: next.from, to: next.to, later, restarted: false } : null
}
