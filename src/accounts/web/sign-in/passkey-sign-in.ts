import { browserSupportsWebAuthnAutofill } from '@simplewebauthn/browser'
import { errorMessage } from '#foundation/call.ts'
import { toast } from '#ui/toast.ts'
import type { CurrentUser } from '../../contract.ts'
import { askPasskey, passkeyFault } from '../your-sign-in/passkeys.ts'
import { signInApi } from './api.ts'

/** Signs in with a passkey. Undefined if the user cancelled or it failed; then a toast was shown. */
export async function signIn(options: { autofill?: boolean } = {}): Promise<CurrentUser | undefined> {
  let isChosen = !options.autofill
  try {
    const question = await signInApi.beginPasskeySignIn.call()
    const passkey = await askPasskey(question, options)
    if (!passkey) return undefined
    isChosen = true
    return await signInApi.signInWithPasskey.call({ body: { passkey } })
  } catch (error) {
    // The user did not start this, so it fails silently.
    if (!isChosen) return undefined
    const description = passkeyFault(error) ?? errorMessage(error, 'The passkey could not be used. Please try again.')
    toast({ title: 'Login Failed', description, tone: 'error' })
    return undefined
  }
}

let isOffered = false

/** Offers passkeys in the browser's autofill until one is used. */
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
