import { useForm, useWatch } from 'react-hook-form'
import { Link } from 'react-router'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { showRefusedFields } from '../../ui/form.ts'
import { checkLater, loadAnswers } from './check-later.ts'
import { NewPasswordField } from './new-password-field.tsx'
import { useRegister } from './sign-in.ts'

const FIELDS = ['email', 'firstName', 'lastName', 'password', 'confirmPassword'] as const

/** What is typed, kept by the page: a look at the other tab loses nothing. */
export function useRegisterForm() {
  return useForm({
    resolver: checkLater('register'),
    defaultValues: { email: '', firstName: '', lastName: '', password: '', confirmPassword: '' },
  })
}

export function RegisterForm({
  form,
  onVerify,
}: {
  form: ReturnType<typeof useRegisterForm>
  /** A mailed link comes first; `email` is where it went. */
  onVerify: (email: string) => void
}) {
  const { register, handleSubmit, setError } = form
  const [email, firstName, lastName, password] = useWatch({
    control: form.control,
    name: ['email', 'firstName', 'lastName', 'password'],
  })
  const signUp = useRegister({
    onVerify: () => onVerify(form.getValues('email')),
    onRefused: (error) => showRefusedFields(error, setError, FIELDS),
  })
  const { errors } = form.formState
  return (
    <form
      noValidate
      method="post"
      onFocus={loadAnswers}
      onSubmit={handleSubmit((sent) => signUp.mutate(sent))}
      className="grid gap-5"
    >
      <TextField label="Email" type="email" autoComplete="email" error={errors.email?.message} {...register('email')} />
      <div className="grid gap-5 sm:grid-cols-2 sm:gap-4">
        <TextField
          label="First name"
          autoComplete="given-name"
          error={errors.firstName?.message}
          {...register('firstName')}
        />
        <TextField
          label="Last name"
          autoComplete="family-name"
          error={errors.lastName?.message}
          {...register('lastName')}
        />
      </div>
      <NewPasswordField
        label="Password"
        typed={password}
        known={[email, firstName, lastName]}
        error={errors.password?.message}
        {...register('password')}
      />
      <TextField
        label="Confirm password"
        type="password"
        autoComplete="new-password"
        error={errors.confirmPassword?.message}
        {...register('confirmPassword')}
      />
      <Button type="submit" busy={signUp.isPending} className="mt-2 w-full">
        Create Account
      </Button>
      <p className="text-center text-[0.9375rem]/[1.5] text-ink-mute">
        By signing up you accept the{' '}
        <Link className="link" to="/terms-and-conditions">
          terms
        </Link>{' '}
        and the{' '}
        <Link className="link" to="/privacy-policy">
          privacy policy
        </Link>
        .
      </p>
    </form>
  )
}
