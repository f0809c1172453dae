import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fullName } from '#accounts/rules.ts'
import type { ManagedBooking } from '#booking/contract.ts'
import { goodwillRefusal } from '#booking/refusals.ts'
import { CREDIT_WORDS, cancellable, cancellationAt } from '#booking/rules.ts'
import { StatusBadge } from '#booking/web/badges.tsx'
import { many } from '#foundation/collections.ts'
import { formatDate } from '#foundation/dates.ts'
import { formatInstant, formatInstantDate } from '#foundation/instants.ts'
import type { LedgerLine, Pass } from '#passes/contract.ts'
import {
  classInWords,
  creditsInWords,
  whatHappened,
  whoForAdmin,
  whyItHappened,
} from '#passes/web/credit-history-dialog.tsx'
import { PassLine } from '#passes/web/pass-line.tsx'
import { nameOf, passesApi } from '#passes/web/passes.ts'
import { staffPaymentsApi } from '#payments/web/staff-api.ts'
import { nameOfClass } from '#timetable/rules.ts'
import { QueryView } from '#ui/query-view.tsx'
import { RowButton, Rows } from '#ui/rows.tsx'
import { type OpenDialog, useDialog } from '#ui/use-dialog.ts'
import { useNow } from '#ui/use-now.ts'
import { CancelBookingDialog, isForfeited, ReturnCreditDialog } from '../bookings/manage-booking.tsx'
import { ConfirmChange } from '../dialog-form.tsx'
import { PurchaseRows } from '../packages/purchases.tsx'
import type { UserName } from './member-details.tsx'
import { PassButtons } from './pass-dialogs.tsx'

const SHOWN = 5
const LINES_SHOWN = 3

export function MemberBookings({ bookings }: { bookings: ManagedBooking[] }) {
  const now = useNow()
  const [all, setAll] = useState(false)
  const { dialog, open } = useDialog()
  if (bookings.length === 0) return <p className="text-ink-mute">No bookings yet</p>
  const isAhead = (booking: ManagedBooking) =>
    booking.status === 'confirmed' && cancellationAt(now, cancellable(booking)) !== 'too_late'
  return (
    <>
      <Rows
        label="Bookings"
        rows={all ? bookings : bookings.slice(0, SHOWN)}
        keyOf={(booking) => booking.id}
        columns={[
          { head: 'Class', cell: ({ class: studioClass }) => studioClass.title },
          {
            head: 'When',
            cell: ({ class: studioClass }) => (
              <span className="whitespace-nowrap">
                {formatDate(studioClass.date)}, {studioClass.startTime}
              </span>
            ),
          },
          { head: 'Status', cell: ({ status }) => <StatusBadge status={status} />, aside: true },
          {
            head: 'Credit',
            cell: ({ paymentStatus }) => <span className="whitespace-nowrap">{CREDIT_WORDS[paymentStatus]}</span>,
          },
        ]}
        actions={(booking) => <BookingActions booking={booking} isAhead={isAhead(booking)} open={open} />}
      />
      {!all && <ShowAll count={bookings.length} shown={SHOWN} onClick={() => setAll(true)} />}
      {dialog}
    </>
  )
}

type ActionProps = { booking: ManagedBooking; isAhead: boolean; open: OpenDialog }

function BookingActions({ booking, isAhead, open }: ActionProps) {
  const name = nameOfClass(booking.class)
  if (isForfeited(booking)) {
    const refusal = goodwillRefusal(booking)
    if (refusal) return <span className="max-w-60 text-caption/snug text-ink-mute">{refusal.message}</span>
    return (
      <RowButton
        label="Give credit back"
        name={`Give back the credit of ${name}`}
        variant="quiet"
        onClick={() => open(ReturnCreditDialog, { booking })}
      />
    )
  }
  if (!isAhead) return null
  const { user, isByPhone } = booking
  const facts = { name: fullName(user), email: isByPhone ? null : undefined, isMoved: cancellable(booking).isMoved }
  return (
    <RowButton
      label="Cancel"
      name={`Cancel ${name}`}
      variant="quiet"
      onClick={() => open(CancelBookingDialog, { booking: { ...booking, ...facts } })}
    />
  )
}

export function MemberPurchases({ userId }: { userId: string }) {
  return (
    <QueryView
      query={useQuery(staffPaymentsApi.listPurchases.pageOptions({ query: { userId, limit: 50, offset: 0 } }))}
      failed="The purchases could not be loaded."
    >
      {({ rows }) =>
        rows.length === 0 ? <p className="text-ink-mute">No purchases yet</p> : <PurchaseRows purchases={rows} ofOne />
      }
    </QueryView>
  )
}

export function MemberLedger({ lines }: { lines: LedgerLine[] }) {
  const [all, setAll] = useState(false)
  if (lines.length === 0) return <p className="text-ink-mute">No credits have moved yet</p>
  return (
    <>
      <Rows
        label="Credit ledger"
        rows={all ? lines : lines.slice(0, LINES_SHOWN)}
        keyOf={(line) => line.id}
        columns={[
          { head: 'What', cell: (line) => <What line={line} /> },
          { head: 'Who', cell: (line) => whoForAdmin(line) ?? 'Not recorded' },
          { head: 'Pass', cell: (line) => line.package },
          { head: 'When', cell: ({ at }) => formatInstant(at) },
          { head: 'Credits', cell: creditsInWords, numeric: true, aside: true },
        ]}
      />
      {!all && <ShowAll count={lines.length} shown={LINES_SHOWN} onClick={() => setAll(true)} />}
    </>
  )
}

function ShowAll({ count, shown, onClick }: { count: number; shown: number; onClick: () => void }) {
  if (count <= shown) return null
  return <RowButton label={`Show all ${count}`} variant="quiet" className="mt-3 -ml-5" onClick={onClick} />
}

function What({ line }: { line: LedgerLine }) {
  const details = [classInWords(line), whyItHappened(line)].filter((part) => part !== null)
  return (
    <>
      {whatHappened(line)}
      {details.map((detail) => (
        <span key={detail} className="block text-caption font-normal text-ink-mute">
          {detail}
        </span>
      ))}
    </>
  )
}

export function MemberPasses({ passes, user }: { passes: Pass[]; user: UserName }) {
  const { dialog, open } = useDialog()
  if (passes.length === 0) return <p className="text-ink-mute">No passes yet</p>
  // Newest first, so that expired passes are last.
  const newest = [...passes].sort((a, b) => b.createdAt.localeCompare(a.createdAt) || b.id - a.id)
  return (
    <>
      <ul className="border-t border-line">
        {newest.map((pass) => (
          <li key={pass.id} className="border-b border-line pb-3">
            <PassLine pass={pass} />
            <div className="-ml-5 flex flex-wrap">
              <PassButtons pass={pass} user={user} open={open} />
              {pass.creditsRemaining > 0 && (
                <RowButton
                  label="Delete pass"
                  name={`Delete pass ${nameOf(pass)}, valid until ${formatInstantDate(pass.expiresAt)}`}
                  variant="quiet"
                  onClick={() => open(DeletePassDialog, { pass })}
                />
              )}
            </div>
          </li>
        ))}
      </ul>
      {dialog}
    </>
  )
}

function DeletePassDialog({ pass, onClose }: { pass: Pass; onClose: () => void }) {
  return (
    <ConfirmChange
      title="Delete pass?"
      text={`The ${many(pass.creditsRemaining, 'credit')} left on ${nameOf(pass)} will be removed. Classes already booked with it stay booked; if one is cancelled, its credit does not come back. No money is refunded.`}
      confirm="Delete pass"
      mutationFn={() => passesApi.deletePass.call({ params: { id: pass.id } })}
      toasts={{ success: 'User pass deleted successfully', failure: 'Failed to delete user pass' }}
      onClose={onClose}
    />
  )
}
