import download from '@lucide/icons/icons/download'
import { useState } from 'react'
import { forgetVisit } from '../../accounts/web/logout.tsx'
import { useMemberMutation } from '../../accounts/web/member-mutation.ts'
import { call, sentenceOf } from '../../foundation/call.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { toast } from '../../ui/toast.ts'
import type { deleteOwnAccount } from '../contract.ts'

/** A member's rights over their data: a copy of all of it, and its end. */
export function YourData() {
  const [asking, setAsking] = useState(false)
  return (
    <section aria-labelledby="your-data" className="mt-14 border-t border-line pt-6">
      <h2 id="your-data" className="font-medium">
        Your data
      </h2>
      <p className="mt-1 max-w-[60ch] text-base/[1.6] text-ink-soft">
        Download everything we keep about you as one file, or delete your account with all of it.
      </p>
      <div className="mt-4 flex flex-wrap gap-3">
        <a href="/api/user/export" download className={buttonClass({ variant: 'secondary', small: true })}>
          <Icon of={download} aria-hidden strokeWidth={1.5} /> Download my data
        </a>
        <Button variant="quiet" small onClick={() => setAsking(true)}>
          Delete my account
        </Button>
      </div>
      {asking && <DeleteAccount onClose={() => setAsking(false)} />}
    </section>
  )
}

/** Asks once; afterwards says that it is done, and every way out leads home with nothing kept in the browser. */
function DeleteAccount({ onClose }: { onClose: () => void }) {
  const erase = useMemberMutation({
    mutationFn: () => call<typeof deleteOwnAccount>({ method: 'DELETE', path: '/api/user' }),
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
