import { commonRefusals, refuse } from '#foundation/refusal.ts'
import type { TokenOf } from '#messages/server/messages.ts'
import { type Http, serve } from '#platform/http/serve.ts'
import { write } from '#platform/http/write.ts'
import * as contract from '../contract-profile.ts'
import { profileRefusals } from '../contract-profile.ts'
import type { UserRow } from '../tables.ts'
import {
  confirmEmailChange,
  pendingEmail,
  requestEmailChange,
  resendEmailChange,
} from './addresses/request-email-change.ts'
import { chooseTexts, editProfile } from './members/edit-profile.ts'
import { cancelEmailChange } from './one-time-links.ts'
import type { Throttles } from './sign-in/throttle.ts'
import { findUser, toUser } from './users.ts'

/** A member's own name, phone number and email address. */
export function profileRoutes(
  http: Http,
  options: {
    mode: 'demo' | 'live'
    verification: 'off' | 'required'
    tokenOf: TokenOf
    throttle: Throttles
    /** Whether a provider of text messages is set up. */
    sendsTexts: boolean
  },
): void {
  const { mode, verification, tokenOf, throttle } = options

  write(http, contract.editProfile, async ({ tx, now, user, body }) =>
    toUser(await editProfile(tx, user.id, body, now)),
  )

  const choiceOf = ({ textsOff }: UserRow) => ({ wanted: options.sendsTexts ? !textsOff : null })
  serve(http, contract.getTextChoice, async ({ db, user }) =>
    choiceOf((await findUser(db, user.id)) ?? refuse(commonRefusals.unauthorized)),
  )
  write(http, contract.chooseTexts, async ({ tx, now, user, body }) =>
    choiceOf(await chooseTexts(tx, user.id, body.wanted, now)),
  )

  serve(http, contract.getEmailChange, ({ db, now, user }) => pendingEmail(db, user.id, now))

  /** Per caller and per recipient, so that nobody gets a flood of emails. */
  const countLink = async (userId: string, email: string, address: string) => {
    await throttle.countMail(address)
    const mayMail = (await throttle.mayMail('new-address', userId)) && (await throttle.mayMail('new-address', email))
    if (!mayMail) refuse(commonRefusals.too_many_requests)
  }

  write(
    http,
    contract.requestEmailChange,
    ({ tx, now, user, body }) => requestEmailChange(tx, user.id, body.email, { tokenOf, now }),
    {
      before: async ({ user, body, request }) => {
        // The second step protects the address by which a password is reset.
        if (user.isWithheld) refuse(commonRefusals.second_factor_missing)
        await countLink(user.id, body.email, request.ip)
      },
    },
  )

  write(http, contract.resendEmailChange, ({ tx, now, user }) => resendEmailChange(tx, user.id, now), {
    before: async ({ db, now, user, request }) => {
      const pending = (await pendingEmail(db, user.id, now)) ?? refuse(profileRefusals.no_email_change)
      await countLink(user.id, pending.email, request.ip)
    },
  })

  write(http, contract.cancelEmailChange, ({ tx, user }) => cancelEmailChange(tx, user.id))

  write(http, contract.confirmEmailChange, async ({ tx, now, user, body }) => {
    const caller = user ? { id: user.id, sessionId: user.session.id } : undefined
    return await confirmEmailChange(tx, body.token, { mode, verification, tokenOf, caller, now })
  })
}
