import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser'
import type { NewPasskeyResponse, PasskeyResponse } from '../../contract-factors.ts'

type Question = { challenge: string }

/** Answers a challenge with a passkey; undefined if the user cancelled. */
export function askPasskey(
  question: Question,
  options: { autofill?: boolean } = {},
): Promise<PasskeyResponse | undefined> {
  return unlessCancelled(async () => {
    // The browser takes the server's options unchanged.
    const optionsJSON = question as Parameters<typeof startAuthentication>[0]['optionsJSON']
    const { response, ...answer } = await startAuthentication({ optionsJSON, useBrowserAutofill: options.autofill })
    return { ...answer, response }
  })
}

/** Creates a passkey; undefined if the user cancelled. */
export function makePasskey(question: Question): Promise<NewPasskeyResponse | undefined> {
  return unlessCancelled(async () => {
    const optionsJSON = question as Parameters<typeof startRegistration>[0]['optionsJSON']
    const { response, ...answer } = await startRegistration({ optionsJSON })
    const { clientDataJSON, attestationObject, transports } = response
    return { ...answer, response: { clientDataJSON, attestationObject, transports } }
  })
}

/** Cancelled, timed out, or replaced by another prompt. */
async function unlessCancelled<Response>(ask: () => Promise<Response>): Promise<Response | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)) return undefined
    throw error
  }
}

export function passkeyFault(error: unknown): string | undefined {
  if (!(error instanceof WebAuthnError)) return error instanceof TypeError ? NOT_HERE : undefined
  if (error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return 'This device already has a passkey for you.'
  if (error.code === 'ERROR_INVALID_DOMAIN' || error.code === 'ERROR_INVALID_RP_ID') {
    return 'Passkeys only work at the site’s own address.'
  }
  return NOT_HERE
}

const NOT_HERE = 'You cannot use a passkey in this browser or on this device. Please choose another way.'
