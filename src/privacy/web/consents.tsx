import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useMemberMutation } from '#accounts/web/member-mutation.ts'
import { useUpcomingBookings } from '#booking/web/bookings.ts'
import { many } from '#foundation/collections.ts'
import { formatLongDate } from '#foundation/dates.ts'
import { today } from '#foundation/instants.ts'
import { Button, TextLink } from '#ui/button.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { toast, toastError } from '#ui/toast.ts'
import type { OwnConsents } from '../contract-own.ts'
import { privacyApi } from './api.ts'

/** What the member agreed to, in the words of that version, and how to withdraw it. */
export default function Consents() {
  const consents = useQuery({ ...privacyApi.getConsents.queryOptions(), gcTime: 0 })
  return (
    <QueryView query={consents} failed="What you agreed to could not be loaded.">
      {(given) => <Shown given={given} />}
    </QueryView>
  )
}

function Shown({ given: { health, marketing, objectedAt, newsletterAt, withdrawnAt } }: { given: OwnConsents }) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      {health ? (
        <>
          <Given title="Health information" at={health.agreedAt}>
            {health.healthDisclaimer && <Said>{health.healthDisclaimer}</Said>}
            {health.dataConsent && <Said>{health.dataConsent}</Said>}
          </Given>
          <Button variant="secondary" small className="mt-2 mb-4" onClick={() => setAsking(true)}>
            Withdraw and erase my answers
          </Button>
        </>
      ) : (
        <p className="mb-3">
          {withdrawnAt
            ? `You withdrew your consent to health information on ${dayOf(withdrawnAt)}, and your answers were erased.`
            : 'We have no health information of yours.'}
        </p>
      )}
      {marketing ? (
        <Given title="News and offers" at={marketing.agreedAt}>
          {marketing.text && <Said>{marketing.text}</Said>}
        </Given>
      ) : (
        <p>
          {objectedAt
            ? `You said no to news and offers on ${dayOf(objectedAt)}.`
            : 'You have not asked for news and offers.'}
        </p>
      )}
      {newsletterAt && <p className="mt-3">You confirmed the newsletter on {dayOf(newsletterAt)}.</p>}
      {(marketing || newsletterAt) && (
        <p className="mt-1 text-ink-soft">Each of these emails has an unsubscribe link.</p>
      )}
      {asking && <WithdrawDialog onClose={() => setAsking(false)} />}
    </>
  )
}

const dayOf = (at: string) => formatLongDate(today(Temporal.Instant.from(at)))

function Given({ title, at, children }: { title: string; at: string; children: ReactNode }) {
  return (
    <div>
      <p className="font-medium">{title}</p>
      <p className="text-ink-mute">You agreed on {dayOf(at)} to this:</p>
      {children}
    </div>
  )
}

const Said = ({ children }: { children: ReactNode }) => (
  <blockquote className="mt-2 border-l-2 border-line-strong pl-4 text-ink-soft">{children}</blockquote>
)

const NAMED = 5

/** Shows what happens to future classes before it erases. */
function WithdrawDialog({ onClose }: { onClose: () => void }) {
  const upcoming = useUpcomingBookings()
  const withdraw = useMemberMutation({
    mutationFn: () => privacyApi.withdrawHealthConsent.call(),
    onDone: () => {
      toast({ title: 'Consent withdrawn', description: 'Your health information has been erased.' })
      onClose()
    },
    onError: (error) => toastError(error, 'Your consent could not be withdrawn. Please try again.'),
  })
  return (
    <Dialog
      onClose={onClose}
      title="Withdraw your consent?"
      description="We will erase your health answers, your emergency contact, every earlier version of them and the notes on your sessions. You cannot undo this. Your account and your passes stay."
    >
      <div className="mt-5 min-h-24">
        <QueryView query={upcoming} failed="Your upcoming classes could not be loaded.">
          {(bookings) =>
            bookings.length === 0 ? (
              <p>You have no upcoming classes. To book again, you will need to fill in the form again.</p>
            ) : (
              <>
                <p className="font-medium">{many(bookings.length, 'class', 'classes')} ahead stay booked:</p>
                <ul className="mt-2 text-ink-soft">
                  {bookings.slice(0, NAMED).map(({ id, class: studioClass }) => (
                    <li key={id}>
                      {studioClass.title},{' '}
                      <span className="whitespace-nowrap">{`${formatLongDate(studioClass.date)}, ${studioClass.startTime}`}</span>
                    </li>
                  ))}
                  {bookings.length > NAMED && <li>and {bookings.length - NAMED} more</li>}
                </ul>
                <p className="mt-3">
                  Your instructor will see that there is no health information and will speak with you before the class;
                  without it they may have to leave exercises out. You can cancel a class on your{' '}
                  <TextLink to="/dashboard">dashboard</TextLink> under the usual rules. You cannot book new classes
                  without the form.
                </p>
              </>
            )
          }
        </QueryView>
      </div>
      <DialogActions onClose={onClose} cancel="Keep my answers">
        <Button variant="danger" runs={withdraw} disabled={upcoming.isPending}>
          Withdraw and erase
        </Button>
      </DialogActions>
    </Dialog>
  )
}
