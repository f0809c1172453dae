import { type FormEvent, useState } from 'react'
import { CallError, sentenceOf } from '#foundation/call.ts'
import { Button } from '#ui/button.tsx'
import { FieldError, TextField } from '#ui/field.tsx'
import type { PasskeyAnswer } from '../../contract-factors.ts'
import type { WaysToProve } from '../../contract-proofs.ts'
import { askPasskey, passkeyFault } from '../your-sign-in/passkeys.ts'

/** What somebody proves with who they are. */
export type Given = { password?: string; code?: string; passkey?: PasskeyAnswer }

/**
 * Asks for a passkey, a code or the password: whatever there is. What was typed stays when it was refused.
 *
 * @param send throws what the server refused
 */
export function ProveForm({
  ways,
  submit,
  send,
  onRefused,
}: {
  ways: WaysToProve
  submit: string
  send: (given: Given) => Promise<unknown>
  /** A question is answered once: another one is needed. */
  onRefused: () => void
}) {
  const [busy, setBusy] = useState<'passkey' | 'typed'>()
  const [refusal, setRefusal] = useState<{ of: 'passkey' | 'typed'; text: string }>()
  const field = ways.password ? 'password' : ways.codes ? 'code' : undefined

  async function prove(of: 'passkey' | 'typed', given: () => Promise<Given | undefined>) {
    if (busy) return
    setBusy(of)
    setRefusal(undefined)
    try {
      const proof = await given()
      if (proof) await send(proof)
    } catch (error) {
      setRefusal({ of, text: passkeyFault(error) ?? sentenceOf(error, 'This could not be checked. Please try again.') })
      if (error instanceof CallError) onRefused()
    } finally {
      setBusy(undefined)
    }
  }
  const byPasskey = async () => {
    const passkey = ways.passkey ? await askPasskey(ways.passkey) : undefined
    return passkey && { passkey }
  }
  const byTyping = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = String(new FormData(event.currentTarget).get(field ?? '') ?? '').trim()
    if (!field || !typed) {
      event.currentTarget.querySelector('input')?.focus()
      return setRefusal({ of: 'typed', text: field === 'code' ? 'Please enter a code' : 'Please enter your password' })
    }
    void prove('typed', async () => ({ [field]: typed }))
  }
  const said = (of: 'passkey' | 'typed') => (refusal?.of === of ? refusal.text : undefined)

  return (
    <div className="grid gap-5">
      {ways.passkey && (
        <div>
          <Button
            data-autofocus
            busy={busy === 'passkey'}
            onClick={() => prove('passkey', byPasskey)}
            className="w-full"
          >
            Use your passkey
          </Button>
          <div role="alert">{said('passkey') && <FieldError>{said('passkey')}</FieldError>}</div>
        </div>
      )}
      {ways.passkey && field && <p className="text-center text-[0.9375rem] text-ink-mute">or</p>}
      {field && (
        <form data-toasts-above noValidate onSubmit={byTyping} className="grid gap-5">
          {field === 'code' ? (
            <TextField
              label="Code"
              name="code"
              help="Six digits from your authenticator app, or one of your recovery codes."
              autoComplete="one-time-code"
              autoCapitalize="none"
              spellCheck={false}
              data-autofocus={ways.passkey ? undefined : ''}
              error={said('typed')}
            />
          ) : (
            <TextField
              label="Password"
              name="password"
              type="password"
              autoComplete="current-password"
              data-autofocus={ways.passkey ? undefined : ''}
              error={said('typed')}
            />
          )}
          <Button
            type="submit"
            variant={ways.passkey ? 'secondary' : 'primary'}
            busy={busy === 'typed'}
            className="w-full"
          >
            {submit}
          </Button>
        </form>
      )}
    </div>
  )
}
