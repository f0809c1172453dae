import { useForm, useWatch } from 'react-hook-form'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { FieldError, TextField } from '../../ui/field.tsx'
import { showRefusedFields } from '../../ui/form.ts'
import { checkLater, loadAnswers } from './check-later.ts'
import { NewPasswordField } from './new-password-field.tsx'
import { useSetPassword } from './sign-in.ts'

/** Behind a mailed link: a new password, and one is logged in. A link that has run out offers a new one. */
export function SetPassword({ token }: { token: string }) {
  const form = useForm({ resolver: checkLater('newPassword'), defaultValues: { password: '', confirmPassword: '' } })
  const { errors } = form.formState
  const password = useWatch({ control: form.control, name: 'password' })
  const set = useSetPassword({ onRefused: (error) => showRefusedFields(error, form.setError, ['password']) })
  if (set.isExpired) {
    return (
      <div role="alert" className="grid gap-5 rounded-row bg-linen px-6 py-6">
        <p>{set.refusal}</p>
        <ButtonLink to="/auth?forgot">Send me a new link</ButtonLink>
        <ButtonLink to="/auth" look="quiet" small>
          Back to Login
        </ButtonLink>
      </div>
    )
  }
  return (
    <form
      noValidate
      method="post"
      onFocus={loadAnswers}
      onSubmit={form.handleSubmit((typed) => set.mutate({ token, password: typed.password }))}
      className="grid gap-5"
    >
      <NewPasswordField
        label="New password"
        typed={password}
        error={errors.password?.message}
        {...form.register('password')}
      />
      <TextField
        label="Confirm password"
        type="password"
        autoComplete="new-password"
        error={errors.confirmPassword?.message}
        {...form.register('confirmPassword')}
      />
      {set.refusal && (
        <div role="alert">
          <FieldError>{set.refusal}</FieldError>
        </div>
      )}
      <Button type="submit" busy={set.isPending} className="mt-2 w-full">
        Set password
      </Button>
    </form>
  )
}
