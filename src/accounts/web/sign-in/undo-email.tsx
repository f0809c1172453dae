import { CallError, sentenceOf } from '#foundation/call.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { FieldError } from '#ui/field.tsx'
import { useSingleMutation } from '#ui/use-single-mutation.ts'
import { accountsApi } from '../api.ts'
import { useBecome } from '../become.ts'
import { DeadLink, type MailFrame } from './dead-link.tsx'

const TITLE = 'Restore your email address'
const LEDE =
  'One click, and your account goes back to its old address. Every device is signed out, and you set a new password.'
const NOT_DONE = 'Your email address could not be restored. Please try again.'

/** Behind a link that was mailed to an address that is no longer an account's: one click brings it back. */
export default function UndoEmail({ token, frame: Frame }: { token: string; frame: MailFrame }) {
  const become = useBecome()
  const undo = useSingleMutation({
    mutationFn: (body: { token: string }) => accountsApi.undoEmailChange.call({ body }),
    // Whoever is signed in here may be one of those who are signed out.
    onSuccess: () => become(null),
  })
  const { error } = undo
  if (undo.isSuccess) {
    return (
      <Frame title={TITLE} lede={LEDE}>
        <div role="status" className="grid gap-5 rounded-row bg-linen px-6 py-6">
          <p>{undo.data.message}</p>
          <ButtonLink to="/auth?forgot">Send me another link</ButtonLink>
        </div>
      </Frame>
    )
  }
  if (error instanceof CallError && error.status === 400) {
    return (
      <DeadLink frame={Frame} why={sentenceOf(error, NOT_DONE)}>
        <ButtonLink to="/contact">Contact the studio</ButtonLink>
        <ButtonLink to="/auth" variant="quiet" small>
          Back to Login
        </ButtonLink>
      </DeadLink>
    )
  }
  return (
    <Frame title={TITLE} lede={LEDE}>
      <div className="grid gap-5">
        <Button busy={undo.isPending} onClick={() => undo.mutate({ token })} className="w-full">
          Restore my address
        </Button>
        {error && (
          <div role="alert">
            <FieldError>{sentenceOf(error, NOT_DONE)}</FieldError>
          </div>
        )}
      </div>
    </Frame>
  )
}
