import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { showRefusedFields } from '../../ui/form.ts'
import { PASSWORD_MINIMUM, RegisterForm as schema } from '../contract.ts'
import { useRegister } from './sign-in.ts'

const FIELDS = ['email', 'firstName', 'lastName', 'password', 'confirmPassword'] as const

export function RegisterForm({ onVerify }: { onVerify: () => void }) {
  const { register, handleSubmit, formState, setError } = useForm({
    resolver: zodResolver(schema),
    defaultValues: { email: '', firstName: '', lastName: '', password: '', confirmPassword: '' },
  })
  const signUp = useRegister({ onVerify, onRefused: (error) => showRefusedFields(error, setError, FIELDS) })
  const { errors } = formState
  return (
    <form noValidate method="post" onSubmit={handleSubmit((form) => signUp.mutate(form))} className="grid gap-5">
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
      <TextField
        label="Password"
        type="password"
        autoComplete="new-password"
        help={`At least ${PASSWORD_MINIMUM} characters.`}
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
