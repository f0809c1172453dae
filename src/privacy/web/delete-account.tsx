import { forgetVisit } from '#accounts/web/end-session.tsx'
import { useMemberMutation } from '#accounts/web/member-mutation.ts'
import { sentenceOf } from '#foundation/call.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { toast } from '#ui/toast.ts'
import { privacyApi } from './api.ts'

/** Asks once; afterwards says that it is done, and every way out leads home with nothing kept in the browser. */
export function DeleteAccount({ onClose }: { onClose: () => void }) {
  const erase = useMemberMutation({
    mutationFn: () => privacyApi.deleteOwnAccount.call(),
    onSuccess: forgetVisit,
    onError: (error) => {
      onClose()
      toast({
        title: 'Error',
        description: sentenceOf(error, 'Your account could not be deleted. Please try again.'),
        tone: 'error',
      })
    },
  })
  if (erase.isSuccess) {
    return (
      <Dialog
        open
        onClose={goHome}
        title="Account deleted"
        description="Your account and its data are gone. We wish you well."
      >
        <DialogActions>
          <Button onClick={goHome}>Back to Home</Button>
        </DialogActions>
      </Dialog>
    )
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Delete your account?"
      description="Upcoming bookings are cancelled, and your account, passes with their credits, bookings and health information are erased. Payments stay on record for six years, without your name. This cannot be undone."
    >
      <DialogActions>
        <Button variant="quiet" onClick={onClose}>
          Keep my account
        </Button>
        <Button variant="danger" busy={erase.isPending} onClick={() => erase.mutate()}>
          Delete account
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** A new visit, so that nothing that was read for the member is left. */
function goHome() {
  location.replace('/')
}
