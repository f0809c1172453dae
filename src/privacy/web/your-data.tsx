import download from '@lucide/icons/icons/download'
import { type ComponentType, lazy, Suspense, useState } from 'react'
import { clearBrowserStorage } from '#accounts/web/end-session.tsx'
import { useMemberMutation } from '#accounts/web/member-mutation.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { Disclosure } from '#ui/disclosure.tsx'
import { Icon } from '#ui/icon.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { toastError } from '#ui/toast.ts'
import { privacyApi } from './api.ts'

const ROOMS: readonly (readonly [label: string, room: ComponentType])[] = [
  ['Who read your health information', lazy(() => import('./who-read.tsx'))],
  ['What we keep, and until when', lazy(() => import('./kept-until.tsx'))],
  ['What you agreed to', lazy(() => import('./consents.tsx'))],
  ['Make a complaint about your data', lazy(() => import('./complain.tsx'))],
]

/** A member's rights: who has seen the data, a copy, and deletion. */
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
          <Icon of={download} /> Download my data
        </a>
        <Button variant="quiet" small className="max-sm:-ml-3 max-sm:px-3" onClick={() => setAsking(true)}>
          Delete my account
        </Button>
      </div>
      <div className="mt-6">
        {ROOMS.map(([label, Room]) => (
          <Disclosure key={label} label={label} className="pb-2">
            <Suspense fallback={<Spinner label="Loading..." visible />}>
              <div className="max-w-[70ch] pt-1 pb-4 text-small/relaxed">
                <Room />
              </div>
            </Suspense>
          </Disclosure>
        ))}
      </div>
      {asking && <DeleteAccount onClose={() => setAsking(false)} />}
    </section>
  )
}

/** Asks once. Afterwards every way out opens the home page with nothing stored in the browser. */
function DeleteAccount({ onClose }: { onClose: () => void }) {
  const erase = useMemberMutation({
    mutationFn: () => privacyApi.deleteOwnAccount.call(),
    changesNothing: true,
    onSuccess: clearBrowserStorage,
    onError: (error) => {
      onClose()
      toastError(error, 'Your account could not be deleted. Please try again.')
    },
  })
  if (erase.isSuccess) {
    return (
      <Dialog
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
      onClose={onClose}
      title="Delete your account?"
      description="We will cancel your upcoming bookings and erase your account, passes with their credits, bookings and health information. We keep payments on record for six years, without your name. You cannot undo this."
    >
      <DialogActions onClose={onClose} cancel="Keep my account">
        <Button variant="danger" runs={erase}>
          Delete account
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** Reloads, so that no data of the member is left. */
function goHome() {
  location.replace('/')
}
