import { ApiError, requireFound } from '../../contract/errors.ts'
import type { Me } from '../../contract/sessions/sessions.schemas.ts'
import type { Session } from '../../contract/workspace/workspace.schemas.ts'
import {
  createBucket,
  findSession,
  hashToken,
  newPairingCode,
  newToken,
  normalizePairingCode,
  type Principal,
  type Rate,
  scopesIn,
} from '../auth/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import {
  dropPairingCodesOf,
  endHostSessions,
  endSession,
  endSessionsOf,
  findOpenSession,
  insertSession,
  isSessionKnown,
  listOpenSessions,
  replacePairingCode,
  takePairingCode,
} from './sessions.store.ts'
import { commandLine } from '../../lib/command-line.ts'
import type { PageQuery } from '../../storage/keyset.ts'

const minute = 60_000
const codeLifetime = 10 * minute
const browserLifetime = 30 * 24 * 60 * minute
const hostLifetime = 365 * 24 * 60 * minute
const workLifetime = 60 * minute
/** Guesses at 40 bits within ten minutes; a right code is looked at first, so that no stranger keeps people from signing in. */
const wrongCodeRate: Rate = { burst: 10, perSecond: 0.2 }

export interface SignedIn {
  readonly token: string
  readonly expiresAt: string
  readonly me: Me
}

export interface Sessions {
  /**
   * The session of the process itself: for the desktop window, the CLI and processes that can read the data folder. Its token is a new one,
   * unless one is given that was in use before.
   */
  openHostSession(personId: string, token?: string): string
  /** A session of the process itself to do one piece of a person's work in their name; `end` it afterwards. */
  openWorkSession(personId: string): { readonly token: string; end(): void }
  createPairingCode(personId: string): { readonly code: string; readonly expiresAt: string }
  /** @throws ApiError unauthenticated, or rate_limited after too many wrong codes. */
  pair(code: string): SignedIn
  signOut(principal: Principal): void
  /** A person's open sessions; `currentId` is the one that asks. */
  list(personId: string, currentId: string, query: PageQuery): { items: Session[]; next_cursor: string | null }
  end(personId: string, id: string): void
  /** Signs a person out everywhere and voids their pairing code. */
  endAll(personId: string): void
}

export function createSessions(kernel: Kernel): Sessions {
  const { db, clock, ids } = kernel
  const wrongCodes = createBucket(wrongCodeRate, () => clock.now().getTime())
  const after = (ms: number) => new Date(clock.now().getTime() + ms).toISOString()

  const open = (personId: string, kind: 'host' | 'browser', lifetime: number, token = newToken('asn_')) => {
    const expiresAt = after(lifetime)
    const id = ids.next()
    insertSession(db, { id, personId, tokenHash: hashToken(token), kind, createdAt: timestamp(clock), expiresAt })
    return { id, token, expiresAt }
  }

  return {
    openHostSession: (personId, token) => {
      if (token !== undefined && findSession(db, hashToken(token), timestamp(clock))) return token
      endHostSessions(db, timestamp(clock))
      const mayReturn = token !== undefined && !isSessionKnown(db, hashToken(token))
      return open(personId, 'host', hostLifetime, mayReturn ? token : undefined).token
    },
    openWorkSession: personId => {
      const { id, token } = open(personId, 'host', workLifetime)
      return { token, end: () => endSession(db, id, timestamp(clock)) }
    },
    createPairingCode: personId => {
      const code = newPairingCode()
      const expiresAt = after(codeLifetime)
      replacePairingCode(db, { hash: hashToken(normalizePairingCode(code)), personId, createdAt: timestamp(clock), expiresAt })
      return { code, expiresAt }
    },
    pair: code => {
      const taken = takePairingCode(db, hashToken(normalizePairingCode(code)), timestamp(clock))
      if (!taken) {
        const wait = wrongCodes.take()
        if (wait > 0)
          throw new ApiError('rate_limited', `Too many wrong codes. Try again in ${wait} s.`, { headers: { 'retry-after': String(wait) } })
        throw new ApiError(
          'unauthenticated',
          `The pairing code is wrong, used or expired. Print a new one with "${commandLine('pair')}" and enter it within ten minutes.`,
        )
      }
      const { token, expiresAt } = open(taken.personId, 'browser', browserLifetime)
      const principal = findSession(db, hashToken(token), timestamp(clock))
      if (!principal) throw new ApiError('internal_error', 'The new session could not be read back.')
      return { token, expiresAt, me: describe(principal) }
    },
    signOut: principal => {
      if (principal.kind !== 'session') throw new ApiError('conflict', 'A key cannot sign out; revoke it instead.')
      endSession(db, principal.id, timestamp(clock))
    },
    list: (personId, currentId, query) => listOpenSessions(db, personId, currentId, query, timestamp(clock)),
    end: (personId, id) => {
      const session = requireFound(findOpenSession(db, personId, id, timestamp(clock)), 'session', id)
      endSession(db, session.id, timestamp(clock))
    },
    endAll: personId => {
      dropPairingCodesOf(db, personId)
      endSessionsOf(db, personId, timestamp(clock))
    },
  }
}

/** What a principal may know of itself. */
export function describe(principal: Principal): Me {
  const first = principal.workspaces[0]
  return {
    principal: principal.kind,
    name: principal.name,
    role: first?.role ?? null,
    scopes: first ? [...scopesIn(principal, first)] : [],
    workspaces: principal.workspaces.map(({ id, name, isDemo }) => ({ id, name, demo: isDemo })),
    expires_at: principal.expiresAt,
  }
}
