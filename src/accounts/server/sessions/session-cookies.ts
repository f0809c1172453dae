import '@fastify/cookie'
import { and, eq, sql } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '#foundation/instants.ts'
import type { Database, Tx } from '#platform/database/database.ts'
import { clientNetwork } from '#platform/http/time-limit.ts'
import { recordSecurity } from '#security/server/security.ts'
import { securityEvents } from '#security/tables.ts'
import type { User } from '../../contract.ts'
import { isStrong } from '../../factor-rules.ts'
import { isStaff } from '../../rules.ts'
import {
  isUseRecordDue,
  SESSION_SECONDS,
  type SessionMethod,
  sessionEndsAt,
  signedInCookie,
} from '../../session-rules.ts'
import { hashOfToken } from '../one-time-links.ts'
import { raiseAlarm } from '../sign-in/alarms.ts'
import { findUser, toUser, withEmail } from '../users.ts'
import { beginSession, type Device, deviceOf, endSession, prepareUserOfSession, recordUse } from './sessions.ts'

export type SignedIn = User & {
  email: string
  username: string
  blockedAt: Temporal.Instant | null
  /** `confirmedAt`: the last proof of identity. */
  session: { id: string; method: SessionMethod; confirmedAt: Temporal.Instant }
  /** Whether they are a teacher and have taken the required second step. */
  isTeacher: boolean
  /** An admin or a teacher who has not taken the required second step in this session has a member's rights. */
  isWithheld: boolean
  /** Whether a step-up is due because the last proof is older than this. */
  mustProve(minutes: number): boolean
}

/** Reads and writes the session cookie and the signed-in cookie, and finds the caller. */
export function sessionCookies(options: {
  database: Database
  clock: Clock
  https: boolean
  mode: 'demo' | 'live'
  secondFactor: 'off' | 'required'
}) {
  const { database, clock, mode, secondFactor } = options
  const isStepUpRequired = mode === 'live' || secondFactor === 'required'
  const userOfSession = prepareUserOfSession(database.db)
  const cookie = signedCookie({ name: 'session', https: options.https })
  const uses = sessionUseRecorder(options)

  return {
    /** The token of a request, if its signature is valid. */
    tokenOf: cookie.valueOf,
    /** The signed-in caller of a request. */
    async findCaller(request: FastifyRequest): Promise<SignedIn | null> {
      const token = cookie.valueOf(request)
      if (!token) return null
      const now = clock.now()
      const [row] = await userOfSession.execute({ tokenHash: hashOfToken(token), now })
      if (!row) return null
      const { session } = row
      const user = withEmail(row.user)
      const endsAt = sessionEndsAt(session, { isStaff: isStaff(user), mode })
      if (Temporal.Instant.compare(endsAt, now) <= 0) return null
      if (isUseRecordDue(session.lastUsedAt, now)) uses.due(request, session.id)
      const { id, method, confirmedAt } = session
      const isWithheld = isStaff(user) && secondFactor === 'required' && !isStrong(method)
      return {
        ...toUser(user),
        email: user.email,
        username: user.username,
        isAdmin: user.isAdmin && !isWithheld,
        isTeacher: user.isTeacher && !isWithheld,
        isWithheld,
        blockedAt: user.blockedAt,
        session: { id, method, confirmedAt },
        mustProve: (minutes) => isStepUpRequired && Temporal.Instant.compare(confirmedAt.add({ minutes }), now) <= 0,
      }
    },
    /** Starts a session, ends the browser's old one, and returns the token; `set` it after the commit. */
    async renew(
      tx: Tx,
      request: FastifyRequest,
      userId: string,
      method: SessionMethod,
      /** The last proof of identity, if starting the session is not one. */
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
    /** Records the use of sessions after responses. */
    recordSessionUses: uses.after,
  }
}
export type SessionCookies = ReturnType<typeof sessionCookies>

/** Records the use of sessions after the response, so that no request waits for it. */
function sessionUseRecorder({ database, clock }: { database: Database; clock: Clock }) {
  const dueOf = new WeakMap<FastifyRequest, string>()
  const writing = new Map<string, Promise<void>>()
  return {
    due: (request: FastifyRequest, id: string) => void dueOf.set(request, id),
    after(app: FastifyInstance): void {
      app.addHook('onResponse', (request, _reply, done) => {
        const id = dueOf.get(request)
        if (id && !writing.has(id)) {
          const written = recordUse(database.db, id, clock.now())
            // A later request records it instead.
            .catch((err) => request.log.warn({ err }, 'could not record the use of a session'))
            .finally(() => writing.delete(id))
          writing.set(id, written)
        }
        done()
      })
      app.addHook('onClose', () => Promise.all(writing.values()))
    },
  }
}

/**
 * A signed cookie that scripts cannot read, bound to the host over HTTPS (`__Host-`).
 *
 * @param https whether the site uses HTTPS, even if a request came over HTTP
 */
export function signedCookie({ name, https }: { name: string; https: boolean }) {
  const isSecure = (request: FastifyRequest) => https || request.protocol === 'https'
  const nameFor = (request: FastifyRequest) => (isSecure(request) ? `__Host-${name}` : name)
  const attributesFor = (request: FastifyRequest) =>
    ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(request) }) as const
  return {
    attributesFor,
    /** Undefined if there is none or its signature is invalid. */
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

/** Records a sign-in, and alerts staff of one from a new browser or network. */
async function recordSignIn(
  tx: Tx,
  { userId, method, device }: { userId: string; method: SessionMethod; device: Device },
  { mode, now }: { mode: 'demo' | 'live'; now: Temporal.Instant },
): Promise<void> {
  const isNew = !(await isKnownDevice(tx, userId, device))
  const isFirst = isNew && !(await hasSignedIn(tx, userId))
  await recordSecurity(tx, { kind: 'signed_in', actor: userId, details: { method, ...device, isNew } }, now)
  if (!isNew || mode === 'demo') return
  const user = await findUser(tx, userId)
  if (!user || !isStaff(user)) return
  // No alert for the first sign-in to a new account. After a year the record no longer shows whether there was one.
  const isNewAccount = Temporal.Instant.compare(user.createdAt, now.subtract({ hours: RECORD_DAYS * 24 })) > 0
  if (!(isFirst && isNewAccount)) await raiseAlarm(tx, 'new_sign_in', withEmail(user), { mode, now, device })
}

/** The security record is kept for 12 months. */
const RECORD_DAYS = 360

async function hasSignedIn(tx: Tx, userId: string): Promise<boolean> {
  const { actorId, kind } = securityEvents
  return (await tx.$count(securityEvents, and(eq(actorId, userId), eq(kind, 'signed_in')))) > 0
}

/** Whether the security record has a sign-in from this network with this browser. */
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
        sql`${address} is not distinct from ${clientNetwork()}`,
      ),
    )
    .limit(1)
  return before !== undefined
}
