import type { Clock } from '#foundation/clock.ts'
import type { Database } from '#platform/database/database.ts'
import type { SessionCookies } from '../sessions/session-cookies.ts'
import type { PasswordCost } from '../sign-in/passwords.ts'
import type { CodeAttempts } from './attempts.ts'
import type { SecondFactor } from './factors.ts'
import type { Site } from './passkeys.ts'
import type { PendingCookies } from './pending-sign-ins.ts'
import type { SecretBox } from './secret-box.ts'

/** What the routes of this folder are made of. */
export type FactorParts = {
  database: Database
  clock: Clock
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
