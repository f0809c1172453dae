import { CallError, call, sentenceOf } from '../../../foundation/call.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { FieldError } from '../../../ui/field.tsx'
import { useSingleMutation } from '../../../ui/use-single-mutation.ts'
import type { undoEmailChange } from '../../contract-sessions.ts'
import { useBecome } from '../become.ts'

const NOT_DONE = 'Your email address could not be brought back. Please try again.'

/** Behind a link that was mailed to an address that is no longer an account's: one click brings it back. */
export default function UndoEmail({ token }: { token: string }) {
  const become = useBecome()
  const undo = useSingleMutation({
    mutationFn: (body: { token: string }) =>
      call<typeof undoEmailChange>({ method: 'POST', path: '/api/email-change/undo' }, { body }),
    // Whoever is signed in here may be one of those who are signed out.
    onSuccess: () => become(null),
  })
  const { error } = undo
  if (undo.isSuccess) {
    return (
      <div role="status" className="grid gap-5 rounded-row bg-linen px-6 py-6">
        <p>{undo.data.message} Please set a new password, in case somebody knows the one before.</p>
        <ButtonLink to="/auth?forgot">Set a new password</ButtonLink>
      </div>
    )
  }
  if (error instanceof CallError && error.status === 400) {
    return (
      <div role="alert" className="grid gap-5 rounded-row bg-linen px-6 py-6">
        <p>{sentenceOf(error, NOT_DONE)}</p>
        <ButtonLink to="/contact">Contact the studio</ButtonLink>
      </div>
    )
  }
  return (
    <div className="grid gap-5">
      <Button busy={undo.isPending} onClick={() => undo.mutate({ token })} className="w-full">
        Bring my address back
      </Button>
      {error && (
        <div role="alert">
          <FieldError>{sentenceOf(error, NOT_DONE)}</FieldError>
        </div>
      )}
    </div>
  )
}
