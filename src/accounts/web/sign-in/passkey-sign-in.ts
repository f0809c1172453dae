import { browserSupportsWebAuthnAutofill } from '@simplewebauthn/browser'
import { sentenceOf } from '#foundation/call.ts'
import { toast } from '#ui/toast.ts'
import type { CurrentUser } from '../../contract.ts'
import { accountsApi } from '../api.ts'
import { askPasskey, passkeyFault } from '../your-sign-in/passkeys.ts'

/** Signs in with whatever passkey is chosen; undefined: none was, or it did not do, which has been said. */
export async function signIn(options: { autofill?: boolean } = {}): Promise<CurrentUser | undefined> {
  let isChosen = !options.autofill
  try {
    const question = await accountsApi.beginPasskeySignIn.call()
    const passkey = await askPasskey(question, options)
    if (!passkey) return undefined
    isChosen = true
    return await accountsApi.signInWithPasskey.call({ body: { passkey } })
  } catch (error) {
    // What nobody asked for fails without a word.
    if (!isChosen) return undefined
    const description = passkeyFault(error) ?? sentenceOf(error, 'The passkey could not be used. Please try again.')
    toast({ title: 'Login Failed', description, tone: 'error' })
    return undefined
  }
}

let isOffered = false

/** Offers the device's passkeys beside the names that the browser remembers, until another is asked for. */
export async function offer(onSignedIn: (user: CurrentUser) => void): Promise<void> {
  if (isOffered) return
  isOffered = true
  try {
    const user = (await browserSupportsWebAuthnAutofill()) ? await signIn({ autofill: true }) : undefined
    if (user) onSignedIn(user)
  } finally {
    isOffered = false
  }
}
