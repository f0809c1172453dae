import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { FieldError } from '#ui/field.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { usePlainForm } from '#ui/plain-form.ts'
import { toast } from '#ui/toast.ts'
import type { User } from '../../contract.ts'
import { accountsApi } from '../api.ts'
import { checkLater, loadAnswers } from '../check-later.ts'
import { NewPasswordField } from '../new-password-field.tsx'
import { CHECK_TEXT, CHECK_TITLE, PasskeyCheck } from './passkey-list.tsx'
import { useChangePassword } from './sessions.ts'

const EMPTY = { currentPassword: '', password: '', confirmPassword: '' }

/** Changes the password, with the present one. Passkeys that still sign in are then shown, with a button to remove each. */
export function ChangePassword({ user }: { user: User }) {
  const form = usePlainForm(EMPTY, checkLater('changePassword'))
  const { data: factors } = useQuery(accountsApi.getFactors.queryOptions())
  const [isChecking, setChecking] = useState(false)
  const change = useChangePassword({
    onDone: () => {
      for (const name of ['currentPassword', 'password', 'confirmPassword'] as const) form.put(name, '')
      // A toast would lie over the dialog.
      if (factors?.passkeys.length) setChecking(true)
      else toast({ title: 'Password changed', description: 'Every other browser is signed out.' })
    },
    onRefused: form.refuse,
  })
  return (
    <section aria-labelledby="change-password" className="mt-14">
      <h2 id="change-password" className="title">
        Change your password
      </h2>
      <p className="mt-2 max-w-[60ch] text-ink-soft">
        Every other browser is signed out, and an email tells you that it was changed.
      </p>
      <form
        {...form.sending(({ currentPassword, password }) => change.mutate({ currentPassword, password }))}
        onFocus={loadAnswers}
        className="mt-5 grid max-w-[420px] gap-5"
      >
        {/* Managers keep a password with the name that it belongs to. */}
        <input hidden readOnly name="username" autoComplete="username" value={user.username} />
        <PasswordField label="Current password" autoComplete="current-password" {...form.field('currentPassword')} />
        <NewPasswordField
          label="New password"
          typed={form.typed.password}
          known={[user.email, user.firstName, user.lastName]}
          {...form.field('password')}
        />
        <PasswordField label="Confirm new password" autoComplete="new-password" {...form.field('confirmPassword')} />
        {change.refusal && (
          <div role="alert">
            <FieldError>{change.refusal}</FieldError>
          </div>
        )}
        <Button type="submit" variant="secondary" busy={change.isPending} className="justify-self-start">
          Change password
        </Button>
      </form>
      {isChecking && (
        <Dialog open onClose={() => setChecking(false)} title={CHECK_TITLE} description={CHECK_TEXT}>
          <PasskeyCheck />
          <DialogActions>
            <Button onClick={() => setChecking(false)}>Done</Button>
          </DialogActions>
        </Dialog>
      )}
    </section>
  )
}
