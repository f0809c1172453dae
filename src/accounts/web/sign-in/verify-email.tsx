import { useNavigate } from 'react-router'
import { CallError, sentenceOf } from '#foundation/call.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { FieldError } from '#ui/field.tsx'
import { useSingleMutation } from '#ui/use-single-mutation.ts'
import { accountsApi } from '../api.ts'
import { DeadLink, type MailFrame } from './dead-link.tsx'

/** Behind a mailed link: one click confirms the address. Opening it does nothing, since mail scanners open links too. */
export default function VerifyEmail({ token, frame: Frame }: { token: string; frame: MailFrame }) {
  const navigate = useNavigate()
  const verify = useSingleMutation({
    mutationFn: (body: { token: string }) => accountsApi.verifyEmail.call({ body }),
    onSuccess: () => navigate('/email-verified', { replace: true }),
  })
  const { error } = verify
  if (error instanceof CallError && error.status === 400) {
    return (
      <DeadLink frame={Frame} why={sentenceOf(error, NOT_CONFIRMED)}>
        <ButtonLink to="/auth">Continue to Login</ButtonLink>
      </DeadLink>
    )
  }
  return (
    <Frame title="Confirm your email address" lede="One click shows that the address is yours. Then you can log in.">
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
    </Frame>
  )
}

const NOT_CONFIRMED = 'Your email address could not be confirmed. Please try again.'
