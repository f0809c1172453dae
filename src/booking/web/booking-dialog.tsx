import userPlus from '@lucide/icons/icons/user-plus'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import type { User } from '#accounts/contract.ts'
import { errorMessage } from '#foundation/call.ts'
import { weekdayOf } from '#foundation/dates.ts'
import { useHealth } from '#health/web/health.ts'
import { creditsOf, usePasses } from '#passes/web/passes.ts'
import type { StudioClass } from '#timetable/contract.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { Icon } from '#ui/icon.tsx'
import { late } from '#ui/late.tsx'
import { toast } from '#ui/toast.ts'
import { present, useNow } from '#ui/use-now.ts'
import type { CompanionForm } from '../contract.ts'
import type { RegularBooking } from '../contract-regular.ts'
import { canInvite, rowState } from '../rules.ts'
import { Agreements, useAgreements } from './agreements.tsx'
import { useBegin } from './begin.ts'
import { CANNOT_CHOOSE, useBookings } from './bookings.ts'
import { ClassFacts, CreditIsUsed, HealthLine, OverlappingBooking, PaidWith } from './can-book.tsx'
import { needsClassPass, useBook } from './change-bookings.ts'
import { completeCompanion, EMPTY_COMPANION } from './companions/companion.ts'
import { HowOften } from './regular/how-often.tsx'
import { Made, RegularForm } from './regular/regular-dialog.tsx'

const [CompanionFields] = late(() => import('./companions/companion-fields.tsx'))

type Missing = { hasHealth: boolean; isCompanionMissing: boolean; hasThirdBox: boolean }

/** What a member must still do before they can confirm. */
function whatIsMissing({ hasHealth, isCompanionMissing, hasThirdBox }: Missing): string {
  if (!hasHealth) return 'Complete your health information first.'
  if (isCompanionMissing) return 'Enter your companion’s name and email address.'
  return hasThirdBox ? 'Tick the first two boxes to confirm.' : 'Tick both boxes to confirm.'
}

/**
 * The facts of a class, two checkboxes, the state of the health information, and one action: for this class, or for it
 * and every later one at its time.
 */
export default function BookingDialog({
  chosen,
  user,
  canStillBook,
  onClose,
  onDone,
}: {
  chosen: StudioClass
  user: User
  /** Whether the list behind, which is refetched after a failed booking, still shows the class as free. */
  canStillBook: boolean
  /** Called when the member closes it. */
  onClose: () => void
  /** Called after booking, or if this class can no longer be booked. After other failures the dialog stays open. */
  onDone: (isBooked: boolean) => void
}) {
  const agreements = useAgreements()
  const [companion, setCompanion] = useState<CompanionForm>()
  const [isWeekly, setWeekly] = useState(false)
  const [made, setMade] = useState<RegularBooking>()
  const begin = useBegin(chosen.id, companion ? 2 : 1)
  const health = useHealth()
  const passes = usePasses()
  // The page behind may have failed to load them.
  const bookings = useBookings()
  const book = useBook({ onBooked: () => onDone(true) })
  const isLost = book.isError && !canStillBook
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is lost
  useEffect(() => {
    if (isLost) onDone(false)
  }, [isLost])
  const now = useNow()
  const canBringCompanion =
    chosen.maxParticipants === 2 &&
    chosen.availableSpots === 2 &&
    canInvite(now, Temporal.Instant.from(chosen.startsAt))
  const invited = companion && completeCompanion(companion)
  const isCompanionMissing = companion !== undefined && !invited
  const ready = agreements.areGiven && health.isComplete && !isCompanionMissing

  const confirm = () => {
    const state = rowState(chosen, bookings.data ?? [], present())
    if (state === 'started' || state === 'booked') {
      toast(CANNOT_CHOOSE[state])
      return onClose()
    }
    // Until the passes are known, the server decides.
    const usePass = passes.data?.some((pass) => pass.creditsRemaining > 0) ?? true
    book.mutate({ chosen, userId: user.id, usePass, beginRequest: begin.request, companion: invited })
  }
  if (made) return <Made made={made} onClose={onClose} />
  return (
    <Dialog onClose={onClose} title={chosen.title}>
      <ClassFacts of={chosen}>
        <PaidWith credits={passes.data && creditsOf(passes.data)} />
      </ClassFacts>
      {chosen.date < (chosen.repeatUntilDate ?? '') && (
        <HowOften
          isWeekly={isWeekly}
          every={`Every ${weekdayOf(chosen.date)} at ${chosen.startTime}${invited ? `, with ${invited.firstName}` : ''}`}
          onChange={() => setWeekly(!isWeekly)}
        />
      )}
      {isWeekly ? (
        <RegularForm of={{ ...chosen, classId: chosen.id }} companion={invited} onMade={setMade} onClose={onClose} />
      ) : (
        <>
          {canBringCompanion && (
            <button
              type="button"
              aria-expanded={companion !== undefined}
              className="link mt-1 inline-flex min-h-11 items-center gap-2 sm:mt-2"
              onClick={() => setCompanion(companion ? undefined : EMPTY_COMPANION)}
            >
              <Icon of={userPlus} size={18} />
              {companion ? 'Book for one' : 'Book for two'}
            </button>
          )}
          {companion && <CompanionFields value={companion} onChange={setCompanion} error={book.error} />}
          {needsClassPass(book.error) && (
            <p role="alert" className="mt-5 rounded-row bg-warn-tint px-4 py-3 text-warn">
              {errorMessage(book.error, '')}{' '}
              <Link className="font-medium underline underline-offset-4" to="/pricing" replace>
                See prices
              </Link>
            </p>
          )}
          <CreditIsUsed startsAt={chosen.startsAt} action="book" />
          <OverlappingBooking chosen={chosen} bookings={bookings.data ?? []} />
          <HealthLine health={health} />
          <div className="mt-3 grid gap-2">
            <Agreements {...agreements} />
            {begin.boxes}
          </div>
          <p id="why-not-yet" className="mt-2 -mb-3 min-h-6 text-small text-ink-mute sm:mt-4 sm:text-right">
            {!ready &&
              !health.isPending &&
              whatIsMissing({ hasHealth: health.isComplete, isCompanionMissing, hasThirdBox: begin.boxes !== null })}
          </p>
          <DialogActions onClose={onClose}>
            <Button disabled={!ready} busy={book.isPending} onClick={confirm} aria-describedby="why-not-yet">
              Confirm Booking
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}
