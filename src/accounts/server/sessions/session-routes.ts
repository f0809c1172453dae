import type { Clock } from '#foundation/clock.ts'
import { commonRefusals, refuse } from '#foundation/refusal.ts'
import type { TokenOf } from '#messages/server/messages.ts'
import type { Database, Tx } from '#platform/database/database.ts'
import { type Call, type Http, serve } from '#platform/http/serve.ts'
import { recordSecurity } from '#security/server/security.ts'
import * as contract from '../../contract-sessions.ts'
import { isStrong } from '../../factor-rules.ts'
import { undoEmailChange } from '../addresses/change-email.ts'
import { changePassword, refuseCurrentPassword } from '../sign-in/change-password.ts'
import type { PasswordChecks } from '../sign-in/check-password.ts'
import { refuseCommonPassword } from '../sign-in/common-passwords.ts'
import { hashPassword, type PasswordCost, queueForHashing } from '../sign-in/passwords.ts'
import { findUser } from '../users.ts'
import { deviceOf } from './device.ts'
import { endOwnSession, sessionsOf } from './own-sessions.ts'
import type { SessionCookies } from './session-cookies.ts'
import { endSessionsOf } from './sessions.ts'

/** What somebody who is signed in does about being so. */
export function sessionRoutes(
  http: Http,
  options: {
    database: Database
    clock: Clock
    cookies: SessionCookies
    mode: 'demo' | 'live'
    passwordCost: PasswordCost
    passwordFits: PasswordChecks
    tokenOf: TokenOf
    endKeys: (tx: Tx, userId: string) => Promise<void>
  },
): void {
  const { database, clock, cookies, mode, passwordCost, passwordFits, tokenOf, endKeys } = options

  serve(http, contract.listSessions, async ({ user, request }) => {
    const device = deviceOf(request.headers['user-agent'])
    return await sessionsOf(database.db, { ...user, device }, { mode, now: clock.now() })
  })

  serve(http, contract.endOneSession, async ({ user, params, request, reply }) => {
    await database.transaction(async (tx) => {
      const device = await endOwnSession(tx, user.id, params.id)
      const details = { ...device, cause: 'own_wish' } as const
      await recordSecurity(tx, { kind: 'session_ended', actor: user.id, details }, clock.now())
    })
    if (params.id === user.session.id) cookies.clear(request, reply)
    return { message: 'Signed out there.' }
  })

  serve(http, contract.endSessions, async ({ user, query, request, reply }) => {
    const isAll = query.all === 'true'
    const ended = await database.transaction(async (tx) => {
      const sessions = await endSessionsOf(tx, user.id, isAll ? undefined : user.session.id)
      const details = { sessions, cause: 'own_wish' } as const
      if (sessions > 0) await recordSecurity(tx, { kind: 'sessions_ended', actor: user.id, details }, clock.now())
      return sessions
    })
    if (isAll) cookies.clear(request, reply)
    return { message: isAll ? 'Signed out everywhere.' : 'Signed out everywhere else.', ended }
  })

  const change = async ({ user, body, request, reply }: Call<typeof contract.changePassword>) => {
    await refuseCommonPassword(body.password, mode)
    const row = (await findUser(database.db, user.id)) ?? refuse(commonRefusals.unauthorized)
    const attempt = { account: user.id, address: request.ip, isOwn: true }
    const device = deviceOf(request.headers['user-agent'])
    if (!(await passwordFits({ user: row, password: body.currentPassword, attempt, device }))) refuseCurrentPassword()
    const passwordHash = await hashPassword(body.password, passwordCost)
    const token = await database.transaction(async (tx) => {
      await changePassword(tx, row, { passwordHash, device, now: clock.now() })
      await endKeys(tx, user.id)
      // The password is no second step: what the session had it keeps, and it is asked again when it would have been.
      const { method, confirmedAt } = user.session
      return await cookies.renew(tx, request, user.id, isStrong(method) ? method : 'password', confirmedAt)
    })
    cookies.set(request, reply, token)
    return { message: 'Your password is changed.' }
  }
  serve(http, contract.changePassword, (call) => queueForHashing(() => change(call)))

  serve(http, contract.undoEmailChange, async ({ body }) => {
    await database.transaction((tx) => undoEmailChange(tx, body.token, { now: clock.now(), mode, tokenOf, endKeys }))
    return {
      message:
        'Your email address is restored, and every device is signed out. Your old password no longer works: we have emailed you a link to set a new one.',
    }
  })
}
