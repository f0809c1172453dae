import { refuse } from '#foundation/refusal.ts'
import { type Http, serve } from '#platform/http/serve.ts'
import { write } from '#platform/http/write.ts'
import type { SecretBox } from '#platform/vault/secret-box.ts'
import { accountRefusals } from '../../contract.ts'
import { factorRefusals } from '../../contract-factors.ts'
import * as contract from '../../contract-proofs.ts'
import type { SessionCookies } from '../sessions/session-cookies.ts'
import { deviceOf } from '../sessions/sessions.ts'
import type { PasswordCost } from '../sign-in/passwords.ts'
import { findUser, withEmail } from '../users.ts'
import { proofOptions, type SecondFactor, toCurrentUser } from './factors.ts'
import { reportRecoveryCodeUse } from './manage-factors.ts'
import { passkeyRequestOptions, recordPasskeyUse, type Site, verifyPasskey } from './passkeys.ts'
import { endPending, type PendingCookies, pendingUser } from './pending-sign-ins.ts'
import { type CodeAttempts, withVerifiedFactor } from './prove.ts'

export function signInRoutes(http: Http, parts: FactorDependencies): void {
  const { database, clock } = http
  const { cookies, pending, site, secrets, attempts, mode, secondFactor, verification } = parts

  write(http, contract.beginSecondStep, async ({ tx, now, request }) => {
    const user = (await pendingUser(tx, pending.tokenOf(request), now)) ?? refuse(factorRefusals.sign_in_expired)
    return await proofOptions(tx, { site, now }, user, 'second_step')
  })

  serve(http, contract.completeSecondStep, async ({ body, request, reply }) => {
    const now = clock.now()
    const token = pending.tokenOf(request) ?? refuse(factorRefusals.sign_in_expired)
    const user = withEmail((await pendingUser(database.db, token, now)) ?? refuse(factorRefusals.sign_in_expired))
    const proving = { database, site, secrets, attempts, now }
    const session = await withVerifiedFactor(proving, { user, purpose: 'second_step' }, body, async (tx, proof) => {
      if (!(await endPending(tx, token))) refuse(factorRefusals.sign_in_expired)
      const device = deviceOf(request.headers['user-agent'])
      if (proof === 'recovery_code') await reportRecoveryCodeUse(tx, user, { now, mode, secondFactor, device })
      return await cookies.renew(tx, request, user.id, 'second_factor')
    })
    pending.clear(request, reply)
    cookies.set(request, reply, session)
    return toCurrentUser(user, { isStrong: true, hasFactor: true, secondFactor })
  })

  write(http, contract.beginPasskeySignIn, async ({ tx, now }) => ({
    ...(await passkeyRequestOptions(tx, site, { purpose: 'sign_in', userId: null }, now)),
  }))

  serve(http, contract.signInWithPasskey, async ({ body, request, reply }) => {
    const now = clock.now()
    const used = await verifyPasskey({ database, site, now }, body.passkey, { purpose: 'sign_in', userId: null })
    const { user, token } = await database.transaction(async (tx) => {
      await recordPasskeyUse(tx, used, now)
      const row = withEmail((await findUser(tx, used.passkey.userId)) ?? refuse(factorRefusals.passkey_rejected))
      if (verification === 'required' && !row.emailVerifiedAt) refuse(accountRefusals.email_not_verified)
      return { user: row, token: await cookies.renew(tx, request, row.id, 'passkey') }
    })
    cookies.set(request, reply, token)
    return toCurrentUser(user, { isStrong: true, hasFactor: true, secondFactor })
  })
}

export type FactorDependencies = {
  cookies: SessionCookies
  pending: PendingCookies
  mode: 'demo' | 'live'
  secondFactor: SecondFactor
  verification: 'off' | 'required'
  passwordCost: PasswordCost
  site: Site
  secrets: SecretBox
  attempts: CodeAttempts
}
