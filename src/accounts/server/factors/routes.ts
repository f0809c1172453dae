import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { currentFacts } from '#facts/server/facts.ts'
import { commonRefusals, refuse, refuseField } from '#foundation/refusal.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { type Http, serve } from '#platform/http/serve.ts'
import { write } from '#platform/http/write.ts'
import { recordSecurity } from '#security/server/security.ts'
import * as contract from '../../contract-factors.ts'
import * as proofs from '../../contract-proofs.ts'
import { isStrong, type Proof } from '../../factor-rules.ts'
import { isStaff } from '../../rules.ts'
import type { SignedIn } from '../sessions/session-cookies.ts'
import { confirmSession, deviceOf } from '../sessions/sessions.ts'
import { passwordFits, queueForHashing } from '../sign-in/passwords.ts'
import { findUser, isPasswordUnchanged, withEmail } from '../users.ts'
import { newAppSecret, stepOfCode } from './codes.ts'
import { factorsOf, hasFactor, proofOptions, toCurrentUser } from './factors.ts'
import * as manage from './manage-factors.ts'
import { passkeyCreationOptions, verifyNewPasskey } from './passkeys.ts'
import { withVerifiedFactor } from './prove.ts'
import { type FactorDependencies, signInRoutes } from './sign-in-routes.ts'

const { factorRefusals } = contract

/** The encrypted secret that the client sends back with the first code. */
const SetUp = z.object({ secret: z.string(), until: z.string() })
/** Our choice. */
const SET_UP_MINUTES = 15

/** The default name of a passkey. */
const nameOf = ({ browser, system }: ReturnType<typeof deviceOf>) =>
  [browser, system].filter((word) => word !== null).join(' on ') || 'Passkey'

export function factorRoutes(http: Http, parts: FactorDependencies): void {
  const { database, clock } = http
  const { cookies, mode, secondFactor, site, secrets, attempts } = parts
  signInRoutes(http, parts)

  const userRow = async (user: SignedIn, reader: Reader = database.db) =>
    withEmail((await findUser(reader, user.id)) ?? refuse(commonRefusals.unauthorized))

  /** A password or emailed link alone must not add a factor to an account that already has one. */
  async function factorChangeOf(reader: Reader, user: SignedIn, request: FastifyRequest): Promise<manage.FactorChange> {
    if (user.isWithheld && (await hasFactor(reader, user.id))) refuse(commonRefusals.step_up_required)
    const device = deviceOf(request.headers['user-agent'])
    const { isWithheld, session } = user
    return { now: clock.now(), mode, secondFactor, device, isWithheld, sessionId: session.id }
  }
  /** Only staff may use codes. */
  const refuseMembers = (user: SignedIn) => user.role !== 'member' || refuse(commonRefusals.forbidden)

  /** A session that gains an admin's or a teacher's rights gets a new token. */
  const renewWithRights = (tx: Tx, user: SignedIn, request: FastifyRequest) =>
    cookies.renew(tx, request, user.id, 'second_factor')
  const currentUser = async (user: SignedIn) =>
    toCurrentUser(await userRow(user), { isStrong: true, hasFactor: true, secondFactor })

  serve(http, contract.getFactors, async ({ user }) =>
    factorsOf(database.db, await userRow(user), { site, secondFactor }),
  )

  write(http, proofs.beginStepUp, async ({ tx, now, user }) =>
    proofOptions(tx, { site, now }, await userRow(user, tx), 'confirm'),
  )

  serve(http, proofs.completeStepUp, async ({ user, body, request, reply }) => {
    const now = clock.now()
    const row = await userRow(user)
    const confirm = async (tx: Tx, proof: Proof) => {
      const device = deviceOf(request.headers['user-agent'])
      if (proof === 'recovery_code') await manage.reportRecoveryCodeUse(tx, row, { now, mode, secondFactor, device })
      await recordSecurity(tx, { kind: 'stepped_up', actor: row.id, details: { method: proof } }, now)
      const gains = user.isWithheld && proof !== 'password'
      const token = await (gains ? renewWithRights(tx, user, request) : confirmSession(tx, user.session, now))
      return { gains, token }
    }
    const proving = { database, site, secrets, attempts, now }
    const { gains, token } = body.password
      ? await confirmByPassword(row, body.password, (tx) => confirm(tx, 'password'))
      : await withVerifiedFactor(proving, { user: row, purpose: 'confirm' }, body, confirm)
    if (token) cookies.set(request, reply, token)
    const hasProved = isStrong(user.session.method) || gains
    return toCurrentUser(row, { isStrong: hasProved, hasFactor: await hasFactor(database.db, row.id), secondFactor })
  })

  async function confirmByPassword<Result>(
    row: Awaited<ReturnType<typeof userRow>>,
    password: string,
    confirm: (tx: Tx) => Promise<Result>,
  ): Promise<Result> {
    if (isStaff(row) && (await hasFactor(database.db, row.id))) refuse(factorRefusals.password_not_sufficient)
    await attempts.count(row.id)
    const refusePassword = () => refuseField(factorRefusals.password_incorrect, 'password')
    if (!(await queueForHashing(() => passwordFits(row.passwordHash, password, parts.passwordCost)))) {
      const details = { method: 'password', why: 'wrong_password' } as const
      const event = { kind: 'stepped_up', outcome: 'failed', actor: row.id, details } as const
      await database.transaction((tx) => recordSecurity(tx, event, clock.now()))
      refusePassword()
    }
    await attempts.forget(row.id)
    return await database.transaction(async (tx) => {
      if (!(await isPasswordUnchanged(tx, row))) refusePassword()
      return await confirm(tx)
    })
  }

  write(http, contract.beginPasskey, async ({ tx, user, request }) => {
    const { now } = await factorChangeOf(tx, user, request)
    return { ...(await passkeyCreationOptions(tx, site, user, now)) }
  })

  serve(http, contract.addPasskey, async ({ user, body, request, reply }) => {
    const change = await factorChangeOf(database.db, user, request)
    const made = await verifyNewPasskey({ database, site, now: change.now }, body.passkey, user)
    const label = body.label ?? nameOf(change.device)
    const { kept, token } = await database.transaction(async (tx) => ({
      kept: await manage.addPasskey(tx, { ...made, label }, change),
      token: user.isWithheld ? await renewWithRights(tx, user, request) : undefined,
    }))
    if (token) cookies.set(request, reply, token)
    return { ...kept, user: await currentUser(user) }
  })

  write(http, contract.renamePasskey, async ({ tx, user, params, body }) =>
    manage.renamePasskey(tx, user.id, params.id, body.label),
  )

  write(http, contract.removePasskey, async ({ tx, user, params, request }) =>
    manage.removePasskey(tx, user.id, params.id, await factorChangeOf(tx, user, request)),
  )

  serve(http, contract.beginApp, async ({ user, request }) => {
    refuseMembers(user)
    const { now } = await factorChangeOf(database.db, user, request)
    const { secret, uri } = await newAppSecret((await currentFacts(database.db)).name, user.email)
    const until = now.add({ minutes: SET_UP_MINUTES }).toString()
    return { secret, uri, setUp: secrets.seal(user.id, { secret, until }).toString('base64url') }
  })

  serve(http, contract.addApp, async ({ user, body, request, reply }) => {
    refuseMembers(user)
    const change = await factorChangeOf(database.db, user, request)
    const { now } = change
    const setUp = SetUp.safeParse(secrets.open(user.id, Buffer.from(body.setUp, 'base64url')))
    if (!setUp.success || Temporal.Instant.compare(setUp.data.until, now) <= 0) refuse(factorRefusals.setup_expired)
    const { secret } = setUp.data
    await attempts.count(user.id)
    const lastStep = await stepOfCode(secret, body.code.replace(/\s/g, ''), now)
    if (lastStep === undefined) refuseField(factorRefusals.invalid_code, 'code')
    await attempts.forget(user.id)
    const app = { userId: user.id, sealedSecret: secrets.seal(user.id, secret), lastStep }
    const { kept, token } = await database.transaction(async (tx) => ({
      kept: await manage.addApp(tx, app, change),
      token: user.isWithheld ? await renewWithRights(tx, user, request) : undefined,
    }))
    if (token) cookies.set(request, reply, token)
    return { ...kept, user: await currentUser(user) }
  })

  write(http, contract.removeApp, async ({ tx, user, request }) =>
    manage.removeApp(tx, user.id, await factorChangeOf(tx, user, request)),
  )

  write(http, contract.renewRecoveryCodes, async ({ tx, user, request }) => {
    refuseMembers(user)
    return { recoveryCodes: await manage.renewCodes(tx, user.id, await factorChangeOf(tx, user, request)) }
  })
}
