import type { FastifyRequest } from 'fastify'
import { refuse } from '#foundation/refusal.ts'
import type { TokenOf } from '#messages/server/messages.ts'
import type { Tx } from '#platform/database/database.ts'
import { isCrossSite } from '#platform/http/guards.ts'
import { type Call, type Http, serve } from '#platform/http/serve.ts'
import { timedRoute } from '#platform/http/time-limit.ts'
import { write } from '#platform/http/write.ts'
import type { SecretBox } from '#platform/vault/secret-box.ts'
import { recordSecurity } from '#security/server/security.ts'
import * as contract from '../contract.ts'
import * as invitations from '../contract-invitations.ts'
import { relyingParty } from '../factor-rules.ts'
import { hasFactor, isSecondStepDue, type SecondFactor, toCurrentUser } from './factors/factors.ts'
import { beginPending, pendingCookies } from './factors/pending-sign-ins.ts'
import { factorRoutes } from './factors/routes.ts'
import { addMember, countUninvited, inviteAddedMember, inviteAll, sendInvitation } from './members/add-members.ts'
import { editUser } from './members/edit-user.ts'
import { addNote, deleteNote } from './members/notes.ts'
import { registerMember, welcomeOnce } from './members/register-member.ts'
import { redeemLink } from './one-time-links.ts'
import { profileRoutes } from './profile-routes.ts'
import type { SessionCookies } from './sessions/session-cookies.ts'
import { sessionRoutes } from './sessions/session-routes.ts'
import { deviceOf, endSession } from './sessions/sessions.ts'
import { passwordChecks } from './sign-in/check-password.ts'
import { hashPassword, type PasswordCost, queueForHashing, refuseCommonPassword } from './sign-in/passwords.ts'
import { setPassword } from './sign-in/set-password.ts'
import { counterOf, LINKS_LIMIT_NOTICE, throttles } from './sign-in/throttle.ts'
import { findByEmail, findByLogin, isPasswordUnchanged, toUser, verifyAddress } from './users.ts'

const { accountRefusals } = contract

export function accountRoutes(
  http: Http,
  options: {
    cookies: SessionCookies
    mode: 'demo' | 'live'
    verification: 'off' | 'required'
    secondFactor: SecondFactor
    passwordCost: PasswordCost
    tokenOf: TokenOf
    /** Ends access without a session, such as calendar feeds. */
    endKeys: (tx: Tx, userId: string) => Promise<void>
    appUrl: string
    sendsTexts: boolean
    secrets: SecretBox
  },
): void {
  const { database, clock } = http
  const { cookies, mode, verification, secondFactor, passwordCost, tokenOf, endKeys, appUrl } = options
  const throttle = throttles(database.limited, mode)
  const passwordFits = passwordChecks({ ...options, database, clock, throttle: throttle.login })
  sessionRoutes(http, { ...options, passwordFits })
  profileRoutes(http, { ...options, throttle })

  const pending = pendingCookies({ https: appUrl.startsWith('https:') })
  const attempts = counterOf(database.limited, options.mode, 'code')
  factorRoutes(http, { ...options, pending, site: relyingParty(appUrl), attempts })

  serve(http, contract.getCurrentUser, async ({ user }) => {
    if (!user.isWithheld) return user
    const secondStep: contract.CurrentUser['secondStep'] = (await hasFactor(database.db, user.id)) ? 'take' : 'set_up'
    return { ...user, secondStep }
  })

  const logIn = async ({ user: caller, body, request, reply }: Call<typeof contract.login>) => {
    const user = await findByLogin(database.db, body.username)
    // The same for username and email.
    const account = user?.id ?? body.username
    const attempt = { account, address: request.ip, isOwn: user !== undefined && caller?.id === user.id }
    const device = deviceOf(request.headers['user-agent'])
    const fits = await passwordFits({ user, password: body.password, attempt, device })
    if (!fits || !user) refuse(accountRefusals.invalid_credentials)
    if (verification === 'required' && !user.emailVerifiedAt) {
      const details = { method: 'password', why: 'unverified_address', ...device } as const
      const event = { kind: 'sign_in_failed', outcome: 'refused', subject: user.id, details } as const
      await database.transaction((tx) => recordSecurity(tx, event, clock.now()))
      refuse(accountRefusals.email_not_verified)
    }
    const { token, waiting } = await database.transaction(async (tx) => {
      if (!(await isPasswordUnchanged(tx, user))) refuse(accountRefusals.invalid_credentials)
      if (await isSecondStepDue(tx, user, secondFactor)) return { waiting: await beginPending(tx, user, clock.now()) }
      return { token: await cookies.renew(tx, request, user.id, 'password') }
    })
    if (waiting) {
      pending.set(request, reply, waiting)
      return { secondFactorRequired: true as const }
    }
    if (token) cookies.set(request, reply, token)
    return toCurrentUser(user, { isStrong: false, hasFactor: false, secondFactor })
  }
  serve(http, contract.login, (call) => queueForHashing(() => logIn(call)))

  serve(http, contract.register, async ({ body, request, reply }) => {
    await throttle.countMail(request.ip)
    await refuseCommonPassword(database.db, body.password, mode)
    const { password, ...form } = body
    const passwordHash = await queueForHashing(() => hashPassword(password, passwordCost))
    const registered = await database.transaction(async (tx) => {
      if (await inviteAddedMember(tx, body.email)) return undefined
      const row = await registerMember(tx, { ...form, passwordHash }, { verification, now: clock.now() })
      const token = verification === 'off' ? await cookies.renew(tx, request, row.id, 'sign_up') : undefined
      return { user: row, token }
    })
    const { user, token } = registered ?? refuse(accountRefusals.already_invited)
    if (!token) return { emailVerificationRequired: true }
    cookies.set(request, reply, token)
    return { user: toUser(user), emailVerificationRequired: false }
  })

  const before = ({ request }: { request: FastifyRequest }) => throttle.countMail(request.ip)
  write(
    http,
    contract.resendVerification,
    async ({ tx, body }) => {
      const user = await findByLogin(tx, body.username)
      await tx.enqueue('mail-link', { userId: user?.id ?? null, purpose: 'verify_email' })
      return { message: `If this account is not confirmed yet, we will email you a new link. ${LINKS_LIMIT_NOTICE}` }
    },
    { before },
  )

  write(http, contract.verifyEmail, async ({ tx, now, body }) => {
    const id = (await redeemLink(tx, body.token, ['verify_email'], now)) ?? refuse(accountRefusals.verification_expired)
    await verifyAddress(tx, id, now)
    await welcomeOnce(tx, id, now)
  })

  write(http, contract.editUser, async ({ tx, now, user, params, body }) =>
    toUser(await editUser(tx, user, params.id, body, { mode, verification, tokenOf, now })),
  )

  write(http, invitations.addMember, async ({ tx, now, user, body }) =>
    toUser(await addMember(tx, user, body, { tokenOf, now })),
  )
  write(http, invitations.sendInvitation, ({ tx, now, user, params }) =>
    sendInvitation(tx, user, params.id, { tokenOf, now }),
  )

  serve(http, invitations.countUninvited, async () => ({ waiting: await countUninvited(database.db) }))
  write(http, invitations.sendInvitations, async ({ tx, now, user }) => {
    const sent = await inviteAll(tx, user, { tokenOf, now })
    return { sent, waiting: await countUninvited(tx) }
  })

  write(http, contract.addNote, async ({ tx, now, user, params, body }) => addNote(tx, user, params.id, body.text, now))
  write(http, contract.deleteNote, ({ tx, now, user, params }) => deleteNote(tx, user, params.id, now))

  write(
    http,
    contract.requestPasswordReset,
    async ({ tx, body }) => {
      const user = await findByEmail(tx, body.email)
      await tx.enqueue('mail-link', { userId: user?.id ?? null, purpose: 'set_password' })
      return {
        message: `If you have an account, we will email you a link to set a new password. ${LINKS_LIMIT_NOTICE}`,
      }
    },
    { before },
  )

  serve(http, contract.setPassword, async ({ body, request, reply }) => {
    await refuseCommonPassword(database.db, body.password, mode)
    const passwordHash = await queueForHashing(() => hashPassword(body.password, passwordCost))
    const device = deviceOf(request.headers['user-agent'])
    const { user, passkeys, session } = await database.transaction(async (tx) => {
      const now = clock.now()
      const changed = await setPassword(tx, { token: body.token, passwordHash, device, endKeys }, now)
      return { ...changed, session: await cookies.renew(tx, request, changed.user.id, 'mailed_link') }
    })
    cookies.set(request, reply, session)
    return { ...toUser(user), passkeys: { removed: passkeys.removed.length, kept: passkeys.kept.length } }
  })

  // A link for browsers.
  timedRoute(http.app, 'GET', '/api/logout', { schema: { hide: true } }, async (request, reply) => {
    const token = cookies.tokenOf(request)
    if (token && !isCrossSite(request)) {
      const who = await cookies.findCaller(request)
      await database.transaction(async (tx) => {
        await endSession(tx, token)
        if (who)
          await recordSecurity(tx, { kind: 'signed_out', actor: who.id, details: { cause: 'own_wish' } }, clock.now())
      })
      cookies.clear(request, reply)
      // Also if the link's script did not run.
      reply.header('clear-site-data', '"storage"')
    }
    return reply.redirect('/', 303)
  })
}
