import { eq } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../foundation/clock.ts'
import { refuse } from '../../foundation/refusal.ts'
import type { TokenOf } from '../../messages/server/messages.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { isCrossSite } from '../../platform/http/guards.ts'
import { serveOnce } from '../../platform/http/idempotency.ts'
import { type Http, serve } from '../../platform/http/serve.ts'
import * as contract from '../contract.ts'
import * as invitations from '../contract-invitations.ts'
import { users } from '../tables.ts'
import { addMember, inviteExpected, sendInvitation } from './add-member.ts'
import { countUninvited, inviteAll } from './add-members.ts'
import { editUser } from './edit-user.ts'
import { addNote, deleteNote } from './notes.ts'
import { redeemLink } from './one-time-links.ts'
import { hashPassword, type PasswordCost, passwordFits } from './passwords.ts'
import { registerMember, welcomeOnce } from './register-member.ts'
import { beginSession, endSession, endSessionsOf, type SessionCookies } from './sessions.ts'
import { LINKS_LIMIT_TOLD, throttles } from './throttle.ts'
import { findByEmail, findByLogin, hasStillPassword, proveAddress, toUser } from './users.ts'

const { accountRefusals } = contract

export function accountRoutes(
  http: Http,
  options: {
    database: Database
    clock: Clock
    cookies: SessionCookies
    mode: 'demo' | 'live'
    verification: 'off' | 'required'
    passwordCost: PasswordCost
    tokenOf: TokenOf
    /** Ends what opens without a session, which a new password must end with the sessions. */
    endKeys: (tx: Tx, userId: string) => Promise<void>
  },
): void {
  const { database, clock, cookies, verification, passwordCost, tokenOf, endKeys } = options
  const throttle = throttles(database.limited, options.mode)
  /** A sign-in never goes on with a token that was there before it: the browser's old session ends, a new one begins. */
  const renewSession = async (tx: Tx, request: FastifyRequest, userId: string) => {
    const before = cookies.tokenOf(request)
    if (before) await endSession(tx, before)
    return await beginSession(tx, userId, clock.now())
  }

  serve(http, contract.getCurrentUser, async ({ user }) => user)

  serve(http, contract.login, async ({ body, request, reply }) => {
    const user = await findByLogin(database.db, body.username)
    // An account is one whichever of its names is tried.
    const account = user?.id ?? body.username
    await throttle.refuseImpatientLogin(account, request.ip)
    const fits = await passwordFits(user?.passwordHash, body.password, passwordCost)
    // Guesses sent at once are no way around the wait: whatever the guess was, it came too late.
    await throttle.refuseImpatientLogin(account, request.ip)
    if (!fits || !user) {
      await throttle.countFailedLogin(account, request.ip)
      refuse(accountRefusals.wrong_credentials)
    }
    if (verification === 'required' && !user.emailVerifiedAt) refuse(accountRefusals.email_not_verified)
    await throttle.forgetFailedLogins(account, request.ip)
    const token = await database.transaction(async (tx) => {
      if (!(await hasStillPassword(tx, user))) refuse(accountRefusals.wrong_credentials)
      return await renewSession(tx, request, user.id)
    })
    cookies.set(request, reply, token)
    return toUser(user)
  })

  serve(http, contract.register, async ({ body, request, reply }) => {
    await throttle.countMail(request.ip)
    const { password, ...form } = body
    const passwordHash = await hashPassword(password, passwordCost)
    const registered = await database.transaction(async (tx) => {
      if (await inviteExpected(tx, body.email)) return undefined
      const row = await registerMember(tx, { ...form, passwordHash }, { verification, now: clock.now() })
      return { user: row, token: verification === 'off' ? await renewSession(tx, request, row.id) : undefined }
    })
    const { user, token } = registered ?? refuse(accountRefusals.address_invited)
    if (!token) return { emailVerificationRequired: true }
    cookies.set(request, reply, token)
    return { user: toUser(user), emailVerificationRequired: false }
  })

  serve(http, contract.resendVerification, async ({ body, request }) => {
    await throttle.countMail(request.ip)
    await database.transaction(async (tx) => {
      const user = await findByLogin(tx, body.username)
      await tx.enqueue('mail-link', { userId: user?.id ?? null, purpose: 'verify_email' })
    })
    return {
      message: `If this account is still waiting to be confirmed, a new link is on its way. ${LINKS_LIMIT_TOLD}`,
    }
  })

  serve(http, contract.verifyEmail, async ({ body }) => {
    await database.transaction(async (tx) => {
      const now = clock.now()
      const id =
        (await redeemLink(tx, body.token, ['verify_email'], now)) ?? refuse(accountRefusals.verification_expired)
      await proveAddress(tx, id, now)
      await welcomeOnce(tx, id, now)
    })
    return { message: 'Your email address is confirmed.' }
  })

  serve(http, contract.editUser, async ({ user, params, body }) =>
    toUser(await database.transaction((tx) => editUser(tx, user, params.id, body, { verification, now: clock.now() }))),
  )

  serveOnce(http, invitations.addMember, options, async (tx, { user, body }) =>
    toUser(await addMember(tx, user, body, { tokenOf, now: clock.now() })),
  )
  serveOnce(http, invitations.sendInvitation, options, async (tx, { user, params }) => {
    await sendInvitation(tx, user, params.id, { tokenOf, now: clock.now() })
    return { message: 'Invitation sent' }
  })

  serve(http, invitations.countUninvited, async () => ({ waiting: await countUninvited(database.db) }))
  serveOnce(http, invitations.sendInvitations, options, async (tx, { user }) => {
    const sent = await inviteAll(tx, user, { tokenOf, now: clock.now() })
    return { sent, waiting: await countUninvited(tx) }
  })

  serve(http, contract.addNote, async ({ user, params, body }) =>
    database.transaction((tx) => addNote(tx, user, params.id, body.text, clock.now())),
  )
  serve(http, contract.deleteNote, async ({ user, params }) => {
    await database.transaction((tx) => deleteNote(tx, user, params.id, clock.now()))
    return { message: 'Note deleted' }
  })

  serve(http, contract.requestPasswordReset, async ({ body, request }) => {
    await throttle.countMail(request.ip)
    await database.transaction(async (tx) => {
      const user = await findByEmail(tx, body.email)
      await tx.enqueue('mail-link', { userId: user?.id ?? null, purpose: 'set_password' })
    })
    return { message: `If we know this address, a link to set a new password is on its way. ${LINKS_LIMIT_TOLD}` }
  })

  serve(http, contract.setPassword, async ({ body, request, reply }) => {
    const passwordHash = await hashPassword(body.password, passwordCost)
    const now = clock.now()
    const { user, token } = await database.transaction(async (tx) => {
      const id =
        (await redeemLink(tx, body.token, ['set_password', 'invitation'], now)) ?? refuse(accountRefusals.link_expired)
      await tx.update(users).set({ passwordHash }).where(eq(users.id, id))
      const row = (await proveAddress(tx, id, now)) ?? refuse(accountRefusals.link_expired)
      await endSessionsOf(tx, id)
      // Whoever registered the address first, or knew the old password, may have kept the secret of its calendar.
      await endKeys(tx, id)
      // Who was invited has not been greeted yet.
      if (row.invitedAt) await welcomeOnce(tx, id, now)
      return { user: row, token: await renewSession(tx, request, id) }
    })
    cookies.set(request, reply, token)
    return toUser(user)
  })

  // Followed by a browser, not called: it answers with a redirect.
  http.app.get('/api/logout', { schema: { hide: true } }, async (request, reply) => {
    const token = cookies.tokenOf(request)
    if (token && !isCrossSite(request)) {
      await database.transaction((tx) => endSession(tx, token))
      cookies.clear(request, reply)
    }
    return reply.redirect('/', 303)
  })
}
