import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { CallError, errorMessage } from '#foundation/call.ts'
import { Button } from '#ui/button.tsx'
import { FormError } from '#ui/field.tsx'
import { Form, TextField } from '#ui/form-fields.tsx'
import { Spinner } from '#ui/spinner.tsx'
import type { PasskeyResponse } from '../../contract-factors.ts'
import type { ProofOptions } from '../../contract-proofs.ts'
import { askPasskey, passkeyFault } from '../your-sign-in/passkeys.ts'

export type Proof = { password?: string; code?: string; passkey?: PasskeyResponse }

const notBlank = (message: string) => ({ validate: (typed: string) => Boolean(typed.trim()) || message })

function typedField({ password, codes }: ProofOptions): 'password' | 'code' | undefined {
  if (password) return 'password'
  return codes ? 'code' : undefined
}

type Asked = { submit: string; send: (proof: Proof) => Promise<unknown> }

/**
 * Asks for a passkey, and for a code or the password. What was typed stays after a refusal.
 *
 * @param props.ways is fetched again after a refusal, because the challenge is used up
 * @param props.send rejects with the server's refusal
 */
export function ProveForm({
  ways,
  failed = 'This could not be loaded. Please try again.',
  ...asked
}: Asked & { ways: UseQueryResult<ProofOptions>; failed?: string }) {
  return (
    <>
      {ways.isPending && <Spinner label="Loading..." />}
      {ways.error && <p role="alert">{errorMessage(ways.error, failed)}</p>}
      {ways.data && <Prove ways={ways.data} onRefused={() => void ways.refetch()} {...asked} />}
    </>
  )
}

function Prove({ ways, submit, send, onRefused }: Asked & { ways: ProofOptions; onRefused: () => void }) {
  const [busy, setBusy] = useState<'passkey' | 'typed'>()
  const [passkeyRefusal, setPasskeyRefusal] = useState<string>()
  const form = useForm({ defaultValues: { code: '', password: '' } })
  const field = typedField(ways)

  async function prove(by: 'passkey' | 'typed', getProof: () => Promise<Proof | undefined>) {
    if (busy) return
    setBusy(by)
    setPasskeyRefusal(undefined)
    form.clearErrors()
    try {
      const proof = await getProof()
      if (proof) await send(proof)
    } catch (error) {
      const message = passkeyFault(error) ?? errorMessage(error, 'This could not be checked. Please try again.')
      if (by === 'typed' && field) form.setError(field, { message })
      else setPasskeyRefusal(message)
      if (error instanceof CallError) onRefused()
    } finally {
      setBusy(undefined)
    }
  }
  const byPasskey = async () => {
    const passkey = ways.passkey ? await askPasskey(ways.passkey) : undefined
    return passkey && { passkey }
  }

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
          <FormError>{passkeyRefusal}</FormError>
        </div>
      )}
      {ways.passkey && field && <p className="text-center text-small text-ink-mute">or</p>}
      {field && (
        <Form
          form={form}
          data-toasts-above
          onSubmit={(typed) => void prove('typed', async () => ({ [field]: typed[field].trim() }))}
          className="grid gap-5"
        >
          {field === 'code' ? (
            <TextField
              name="code"
              label="Code"
              help="Six digits from your authenticator app, or one of your recovery codes."
              autoComplete="one-time-code"
              autoCapitalize="none"
              spellCheck={false}
              data-autofocus={ways.passkey ? undefined : ''}
              rules={notBlank('Please enter a code')}
            />
          ) : (
            <TextField
              name="password"
              label="Password"
              type="password"
              autoComplete="current-password"
              data-autofocus={ways.passkey ? undefined : ''}
              rules={notBlank('Please enter your password')}
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
        </Form>
      )}
    </div>
  )
}
