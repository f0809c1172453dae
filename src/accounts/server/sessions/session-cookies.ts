import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '#foundation/instants.ts'
import type { Database, Tx } from '#platform/database/database.ts'
import type { User } from '../../contract.ts'
import { isStrong } from '../../factor-rules.ts'
import { SESSION_SECONDS, signedInCookie } from '../../session-hint.ts'
import { isUseRecordDue, type SessionMethod, sessionEndsAt } from '../../session-rules.ts'
import { hashOfToken } from '../one-time-links.ts'
import { findUser, toUser } from '../users.ts'
import { beginSession, type Device, deviceOf, endSession, recordUse, prepareUserOfSession } from './sessions.ts'
import '@fastify/cookie'
import { and, eq, sql } from 'drizzle-orm'
import { askingNetwork } from '#platform/http/answer.ts'
import { recordSecurity } from '#security/server/security.ts'
import { securityEvents } from '#security/tables.ts'
import { raiseAlarm } from '../sign-in/alarms.ts'

/** Who calls, and with which session. */
export type SignedIn = User & {
  blockedAt: Temporal.Instant | null
  /** `confirmedAt`: when they last proved themselves in it. */
  session: { id: string; method: SessionMethod; confirmedAt: Temporal.Instant }
  /** An admin whose session has not shown a second step: `isAdmin` is false until it has. */
  isWithheld: boolean
  /** Whether they last proved themselves so many minutes ago or earlier, and this site asks again. */
  mustProve(minutes: number): boolean
}

/** Reads and writes the session cookie, and the one that says there is one; knows whose it is. */
export function sessionCookies(options: {
  database: Database
  clock: Clock
  https: boolean
  mode: 'demo' | 'live'
  secondFactor: 'off' | 'required'
}) {
  const { database, clock, mode, secondFactor } = options
  const asksAgain = mode === 'live' || secondFactor === 'required'
  const userOfSession = prepareUserOfSession(database.db)
  const cookie = signedCookie({ name: 'session', https: options.https })
  const uses = useRecorder(options)

  return {
    /** The token of a request, if its cookie carries our signature. */
    tokenOf: cookie.valueOf,
    /** Who sends this request, or null. */
    async whoIs(request: FastifyRequest): Promise<SignedIn | null> {
      const token = cookie.valueOf(request)
      if (!token) return null
      const now = clock.now()
      const [row] = await userOfSession.execute({ tokenHash: hashOfToken(token), now })
      if (!row) return null
      const { user, session } = row
      const endsAt = sessionEndsAt(session, { isAdmin: user.isAdmin, mode })
      if (Temporal.Instant.compare(endsAt, now) <= 0) return null
      if (isUseRecordDue(session.lastUsedAt, now)) uses.due(request, session.id)
      const { id, method, confirmedAt } = session
      const isWithheld = user.isAdmin && secondFactor === 'required' && !isStrong(method)
      return {
        ...toUser(user),
        isAdmin: user.isAdmin && !isWithheld,
        isWithheld,
        blockedAt: user.blockedAt,
        session: { id, method, confirmedAt },
        mustProve: (minutes) => asksAgain && Temporal.Instant.compare(confirmedAt.add({ minutes }), now) <= 0,
      }
    },
    /**
     * Begins a session for whoever sends this request and answers its token, to be {@link set} once it is committed. A
     * sign-in never goes on with a token that was there before it: the browser's old session ends.
     */
    async renew(
      tx: Tx,
      request: FastifyRequest,
      userId: string,
      method: SessionMethod,
      /** When they last proved themselves, where beginning the session is no proof. */
      confirmedAt?: Temporal.Instant,
    ): Promise<string> {
      const before = cookie.valueOf(request)
      if (before) await endSession(tx, before)
      const device = deviceOf(request.headers['user-agent'])
      const now = clock.now()
      await recordSignIn(tx, { userId, method, device }, { mode, now })
      return await beginSession(tx, { userId, method, device, confirmedAt }, now)
    },
    set(request: FastifyRequest, reply: FastifyReply, token: string): void {
      cookie.set(request, reply, token, SESSION_SECONDS)
      const attributes = { ...cookie.attributesFor(request), maxAge: SESSION_SECONDS, httpOnly: false }
      reply.setCookie(signedInCookie(attributes.secure), 'yes', attributes)
    },
    clear(request: FastifyRequest, reply: FastifyReply): void {
      cookie.clear(request, reply)
      const attributes = { ...cookie.attributesFor(request), httpOnly: false }
      reply.clearCookie(signedInCookie(attributes.secure), attributes)
    },
    /** Has the use of sessions written down behind the answers of this application. */
    noteUses: uses.after,
  }
}
export type SessionCookies = ReturnType<typeof sessionCookies>

/** Notes behind an answer that its session was used, so that no answer waits for it. */
function useRecorder({ database, clock }: { database: Database; clock: Clock }) {
  const dueOf = new WeakMap<FastifyRequest, string>()
  const writing = new Map<string, Promise<void>>()
  return {
    due: (request: FastifyRequest, id: string) => void dueOf.set(request, id),
    after(app: FastifyInstance): void {
      app.addHook('onResponse', (request, _reply, done) => {
        const id = dueOf.get(request)
        if (id && !writing.has(id)) {
          const written = recordUse(database.db, id, clock.now())
            // It is written with a later request instead.
            .catch((err) => request.log.warn({ err }, 'that a session was used could not be written down'))
            .finally(() => writing.delete(id))
          writing.set(id, written)
        }
        done()
      })
      app.addHook('onClose', () => Promise.all(writing.values()))
    },
  }
}

// request.cookies

/**
 * A cookie that carries our signature and that no script can read. Over HTTPS its name binds it to this very host
 * (`__Host-`), which browsers accept there only.
 *
 * @param https the site is served over HTTPS, whatever a request says
 */
export function signedCookie({ name, https }: { name: string; https: boolean }) {
  const isSecure = (request: FastifyRequest) => https || request.protocol === 'https'
  const nameFor = (request: FastifyRequest) => (isSecure(request) ? `__Host-${name}` : name)
  const attributesFor = (request: FastifyRequest) =>
    ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(request) }) as const
  return {
    attributesFor,
    /** What it holds; undefined: there is none, or its signature is not ours. */
    valueOf(request: FastifyRequest): string | undefined {
      const cookie = request.cookies[nameFor(request)]
      if (!cookie) return undefined
      const { valid, value } = request.unsignCookie(cookie)
      return valid ? value : undefined
    },
    set(request: FastifyRequest, reply: FastifyReply, value: string, seconds: number): void {
      reply.setCookie(nameFor(request), value, { ...attributesFor(request), maxAge: seconds, signed: true })
    },
    clear(request: FastifyRequest, reply: FastifyReply): void {
      reply.clearCookie(nameFor(request), attributesFor(request))
    },
  }
}

/** Puts on record that somebody signs in; of an admin, from a browser or a network that is new to the account, mails tell. */
async function recordSignIn(
  tx: Tx,
  { userId, method, device }: { userId: string; method: SessionMethod; device: Device },
  { mode, now }: { mode: 'demo' | 'live'; now: Temporal.Instant },
): Promise<void> {
  const isNew = !(await isKnownDevice(tx, userId, device))
  await recordSecurity(tx, { kind: 'signed_in', actor: userId, details: { method, ...device, isNew } }, now)
  if (!isNew || mode === 'demo') return
  const user = await findUser(tx, userId)
  if (user?.isAdmin) await raiseAlarm(tx, 'new_sign_in', user, { mode, now, device })
}

/** Whether the record, which is kept for months, knows a sign-in to the account from this network with this browser. */
async function isKnownDevice(tx: Tx, userId: string, { browser, system }: Device): Promise<boolean> {
  const { id, actorId, kind, details, address } = securityEvents
  const [before] = await tx
    .select({ id })
    .from(securityEvents)
    .where(
      and(
        eq(actorId, userId),
        eq(kind, 'signed_in'),
        sql`${details} ->> 'browser' is not distinct from ${browser}`,
        sql`${details} ->> 'system' is not distinct from ${system}`,
        sql`${address} is not distinct from ${askingNetwork()}`,
      ),
    )
    .limit(1)
  return before !== undefined
}
