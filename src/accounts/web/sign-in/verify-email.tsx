import { useNavigate } from 'react-router'
import { CallError, call, sentenceOf } from '../../../foundation/call.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { FieldError } from '../../../ui/field.tsx'
import { useSingleMutation } from '../../../ui/use-single-mutation.ts'
import type { verifyEmail } from '../../contract.ts'

/** Behind a mailed link: one click confirms the address. Opening it does nothing, since mail scanners open links too. */
export default function VerifyEmail({ token }: { token: string }) {
  const navigate = useNavigate()
  const verify = useSingleMutation({
    mutationFn: (body: { token: string }) =>
      call<typeof verifyEmail>({ method: 'POST', path: '/api/verify-email' }, { body }),
    onSuccess: () => navigate('/email-verified', { replace: true }),
  })
  const { error } = verify
  if (error instanceof CallError && error.status === 400) {
    return (
      <div role="alert" className="grid gap-5 rounded-row bg-linen px-6 py-6">
        <p>{sentenceOf(error, NOT_CONFIRMED)}</p>
        <ButtonLink to="/auth">Continue to Login</ButtonLink>
      </div>
    )
  }
  return (
    <div className="grid gap-5">
      <Button busy={verify.isPending} onClick={() => verify.mutate({ token })} className="w-full">
        Confirm email address
      </Button>
      {error && (
        <div role="alert">
          <FieldError>{sentenceOf(error, NOT_CONFIRMED)}</FieldError>
        </div>
      )}
    </div>
  )
}

const NOT_CONFIRMED = 'Your email address could not be confirmed. Please try again.'
