import { Link } from 'react-router'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/field.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { loadAnswers, type useRegisterForm } from '../check-later.ts'
import { NewPasswordField } from '../new-password-field.tsx'
import { useRegister } from '../sign-in/sign-in.ts'

export default function RegisterForm({
  form,
  onVerify,
}: {
  form: ReturnType<typeof useRegisterForm>
  /** A mailed link comes first; `email` is where it went. */
  onVerify: (email: string) => void
}) {
  const { email, firstName, lastName, password } = form.typed
  const signUp = useRegister({ onVerify: () => onVerify(email), onRefused: form.refuse })
  return (
    <form {...form.sending(signUp.mutate)} onFocus={loadAnswers} className="grid gap-5">
      <TextField label="Email" type="email" autoComplete="email" {...form.field('email')} />
      <div className="grid gap-5 sm:grid-cols-2 sm:gap-4">
        <TextField label="First name" autoComplete="given-name" {...form.field('firstName')} />
        <TextField label="Last name" autoComplete="family-name" {...form.field('lastName')} />
      </div>
      <TextField label="Phone" optional type="tel" autoComplete="tel" {...form.field('phone')} />
      <NewPasswordField
        label="Password"
        typed={password}
        known={[email, firstName, lastName]}
        {...form.field('password')}
      />
      <PasswordField label="Confirm password" autoComplete="new-password" {...form.field('confirmPassword')} />
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
