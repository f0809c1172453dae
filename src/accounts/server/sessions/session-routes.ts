import { commonRefusals, refuse } from '#foundation/refusal.ts'
import type { TokenOf } from '#messages/server/messages.ts'
import type { Tx } from '#platform/database/database.ts'
import { type Call, type Http, serve } from '#platform/http/serve.ts'
import { write } from '#platform/http/write.ts'
import { recordSecurity } from '#security/server/security.ts'
import * as contract from '../../contract-sessions.ts'
import { isStrong } from '../../factor-rules.ts'
import { undoEmailChange } from '../addresses/change-email.ts'
import { changePassword, refuseCurrentPassword } from '../sign-in/change-password.ts'
import type { PasswordChecks } from '../sign-in/check-password.ts'
import { hashPassword, type PasswordCost, queueForHashing, refuseCommonPassword } from '../sign-in/passwords.ts'
import { findUser, withEmail } from '../users.ts'
import { endOwnSession, sessionsOf } from './own-sessions.ts'
import type { SessionCookies } from './session-cookies.ts'
import { deviceOf, endSessionsOf, recordSessionsEnded } from './sessions.ts'

export function sessionRoutes(
  http: Http,
  options: {
    cookies: SessionCookies
    mode: 'demo' | 'live'
    passwordCost: PasswordCost
    passwordFits: PasswordChecks
    tokenOf: TokenOf
    endKeys: (tx: Tx, userId: string) => Promise<void>
  },
): void {
  const { database, clock } = http
  const { cookies, mode, passwordCost, passwordFits, tokenOf, endKeys } = options

  serve(http, contract.listSessions, async ({ user, request }) => {
    const device = deviceOf(request.headers['user-agent'])
    return await sessionsOf(database.db, { ...user, device }, { mode, now: clock.now() })
  })

  write(http, contract.endOneSession, async ({ tx, now, user, params, request, reply }) => {
    const device = await endOwnSession(tx, user.id, params.id)
    const details = { ...device, cause: 'own_wish' } as const
    await recordSecurity(tx, { kind: 'session_ended', actor: user.id, details }, now)
    if (params.id === user.session.id) cookies.clear(request, reply)
  })

  write(http, contract.endSessions, async ({ tx, now, user, query, request, reply }) => {
    const isAll = query.all ?? false
    const ended = await endSessionsOf(tx, user.id, isAll ? undefined : user.session.id)
    await recordSessionsEnded(tx, ended, { actor: user.id, cause: 'own_wish' }, now)
    if (isAll) cookies.clear(request, reply)
    return { message: isAll ? 'Signed out everywhere.' : 'Signed out everywhere else.', ended }
  })

  const change = async ({ user, body, request, reply }: Call<typeof contract.changePassword>) => {
    await refuseCommonPassword(database.db, body.password, mode)
    const row = withEmail((await findUser(database.db, user.id)) ?? refuse(commonRefusals.unauthorized))
    const attempt = { account: user.id, address: request.ip, isOwn: true }
    const device = deviceOf(request.headers['user-agent'])
    if (!(await passwordFits({ user: row, password: body.currentPassword, attempt, device }))) refuseCurrentPassword()
    const passwordHash = await hashPassword(body.password, passwordCost)
    const token = await database.transaction(async (tx) => {
      await changePassword(tx, row, { passwordHash, device, now: clock.now() })
      await endKeys(tx, user.id)
      // The password is not a second step, so the session keeps its method and its last proof.
      const { method, confirmedAt } = user.session
      return await cookies.renew(tx, request, user.id, isStrong(method) ? method : 'password', confirmedAt)
    })
    cookies.set(request, reply, token)
    return { message: 'Your password has been changed.' }
  }
  serve(http, contract.changePassword, (call) => queueForHashing(() => change(call)))

  write(http, contract.undoEmailChange, async ({ tx, now, body }) => {
    await undoEmailChange(tx, body.token, { now, mode, tokenOf, endKeys })
    return {
      message:
        'Your email address is restored, and every device is signed out. Your old password no longer works: we have emailed you a link to set a new one.',
    }
  })
}
