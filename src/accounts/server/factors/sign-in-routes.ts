import { refuse } from '#foundation/refusal.ts'
import { type Http, serve } from '#platform/http/serve.ts'
import { accountRefusals } from '../../contract.ts'
import { factorRefusals } from '../../contract-factors.ts'
import * as contract from '../../contract-proofs.ts'
import { deviceOf } from '../sessions/device.ts'
import { findUser } from '../users.ts'
import { toCurrentUser } from './current-user.ts'
import { waysToProve } from './factors.ts'
import type { FactorParts } from './parts.ts'
import { notePasskeyUse, passkeyOfAnswer, questionFor } from './passkeys.ts'
import { endPending, pendingUser } from './pending-sign-ins.ts'
import { proveFactor } from './prove.ts'
import { noteRecoveryCode } from './ways-in.ts'

/** What completes a sign-in, and what begins one without a password. */
export function signInRoutes(http: Http, parts: FactorParts): void {
  const { database, clock, cookies, pending, site, secrets, attempts, mode, secondFactor, verification } = parts

  serve(http, contract.beginSecondStep, async ({ request }) => {
    const now = clock.now()
    const user = await pendingUser(database.db, pending.tokenOf(request), now)
    if (!user) refuse(factorRefusals.sign_in_expired)
    return await database.transaction((tx) => waysToProve(tx, { site, now }, user, 'second_step'))
  })

  serve(http, contract.completeSecondStep, async ({ body, request, reply }) => {
    const now = clock.now()
    const token = pending.tokenOf(request) ?? refuse(factorRefusals.sign_in_expired)
    const user = await pendingUser(database.db, token, now)
    if (!user) refuse(factorRefusals.sign_in_expired)
    const proving = { database, site, secrets, attempts, now }
    const session = await proveFactor(proving, { user, purpose: 'second_step' }, body, async (tx, proof) => {
      if (!(await endPending(tx, token))) refuse(factorRefusals.sign_in_expired)
      const device = deviceOf(request.headers['user-agent'])
      if (proof === 'recovery_code') await noteRecoveryCode(tx, user, { now, mode, secondFactor, device })
      return await cookies.renew(tx, request, user.id, 'second_factor')
    })
    pending.clear(request, reply)
    cookies.set(request, reply, session)
    return toCurrentUser(user, { isStrong: true, hasFactor: true, secondFactor })
  })

  serve(http, contract.beginPasskeySignIn, async () =>
    database.transaction(async (tx) => ({
      ...(await questionFor(tx, site, { purpose: 'sign_in', userId: null }, clock.now())),
    })),
  )

  serve(http, contract.signInWithPasskey, async ({ body, request, reply }) => {
    const now = clock.now()
    const used = await passkeyOfAnswer({ database, site, now }, body.passkey, { purpose: 'sign_in', userId: null })
    const { user, token } = await database.transaction(async (tx) => {
      await notePasskeyUse(tx, used, now)
      const row = (await findUser(tx, used.passkey.userId)) ?? refuse(factorRefusals.passkey_rejected)
      if (verification === 'required' && !row.emailVerifiedAt) refuse(accountRefusals.email_not_verified)
      return { user: row, token: await cookies.renew(tx, request, row.id, 'passkey') }
    })
    cookies.set(request, reply, token)
    return toCurrentUser(user, { isStrong: true, hasFactor: true, secondFactor })
  })
}
