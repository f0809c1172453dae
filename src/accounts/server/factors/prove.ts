import { refuseField } from '#foundation/refusal.ts'
import type { Database, Tx } from '#platform/database/database.ts'
import type { SecretBox } from '#platform/vault/secret-box.ts'
import { recordSecurity } from '#security/server/security.ts'
import { factorRefusals, type PasskeyResponse } from '../../contract-factors.ts'
import { type ChallengePurpose, type Proof, readCode } from '../../factor-rules.ts'
import type { Counter } from '../sign-in/throttle.ts'
import { redeemAppCode, redeemRecoveryCode } from './codes.ts'
import { recordPasskeyUse, type Site, verifyPasskey } from './passkeys.ts'

/**
 * Counts guesses at codes per account, because the caller already has the password. Counted before the code is checked,
 * so that concurrent guesses count too, and forgotten after a correct one.
 */
export type CodeAttempts = Pick<Counter, 'count' | 'forget'>

type ProofContext = {
  database: Database
  site: Site
  secrets: SecretBox
  attempts: CodeAttempts
  now: Temporal.Instant
}

/** Verifies a passkey or a code and runs `finish`, all or nothing: a code is used up exactly when it succeeds. */
export async function withVerifiedFactor<Result>(
  parts: ProofContext,
  { user, purpose }: { user: { id: string }; purpose: Exclude<ChallengePurpose, 'sign_in' | 'add'> },
  given: { code?: string | null; passkey?: PasskeyResponse | null },
  finish: (tx: Tx, proof: Proof) => Promise<Result>,
): Promise<Result> {
  const { database, now } = parts
  if (given.passkey) {
    const used = await verifyPasskey(parts, given.passkey, { purpose, userId: user.id })
    return await database.transaction(async (tx) => {
      await recordPasskeyUse(tx, used, now)
      return await finish(tx, 'passkey')
    })
  }
  await parts.attempts.count(user.id)
  const done = await database.transaction(async (tx) => {
    const proof = await takeCode(tx, parts, user.id, given.code ?? '')
    return proof && { result: await finish(tx, proof) }
  })
  if (!done) {
    const details = { factor: 'totp', why: 'wrong_code' } as const
    const failed = { kind: 'second_factor_failed', outcome: 'failed', subject: user.id, details } as const
    await database.transaction((tx) => recordSecurity(tx, failed, now))
    refuseField(factorRefusals.invalid_code, 'code')
  }
  await parts.attempts.forget(user.id)
  return done.result
}

async function takeCode(
  tx: Tx,
  { secrets, now }: Pick<ProofContext, 'secrets' | 'now'>,
  userId: string,
  typed: string,
): Promise<'totp' | 'recovery_code' | undefined> {
  const read = readCode(typed)
  if (!read) return undefined
  const { kind, code } = read
  if (kind === 'app') return (await redeemAppCode(tx, secrets, { userId, code }, now)) ? 'totp' : undefined
  return (await redeemRecoveryCode(tx, { userId, code })) ? 'recovery_code' : undefined
}
