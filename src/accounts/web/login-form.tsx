import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { LoginForm as schema } from '../contract.ts'
import { useLogin } from './sign-in.ts'

export function LoginForm() {
  const login = useLogin()
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(schema),
    defaultValues: { username: '', password: '' },
  })
  const { errors } = formState
  return (
    <form noValidate method="post" onSubmit={handleSubmit((form) => login.mutate(form))} className="grid gap-5">
      <TextField
        label="Username"
        help="Or your email address."
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        error={errors.username?.message}
        {...register('username')}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        error={errors.password?.message}
        {...register('password')}
      />
      <Button type="submit" busy={login.isPending} className="mt-2 w-full">
        Login
      </Button>
    </form>
  )
}
