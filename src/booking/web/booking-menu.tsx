import { useFacts } from '#content/web/facts.tsx'
import { addressLine } from '#facts/rules.ts'
import { formatDay } from '#foundation/dates.ts'
import { nameOfClass } from '#timetable/rules.ts'
import { late } from '#ui/late.tsx'
import { More } from '#ui/more.tsx'
import { useDialog } from '#ui/use-dialog.ts'
import { useNow } from '#ui/use-now.ts'
import type { Booking } from '../contract.ts'
import { canInvite } from '../rules.ts'
import { calendarLinks } from './calendar-links.ts'
import { slotOfClass, useRegularBookings } from './regular/regular.ts'

const [CompanionDialog] = late(() => import('./companions/companion-dialog.tsx'))
const [RegularDialog] = late(() => import('./regular/regular-dialog.tsx'))

/** What else can be done with a booking: a companion while a place is free, every week, the member's calendar. */
export function BookingMenu({ booking }: { booking: Booking }) {
  const now = useNow()
  const { name, address } = useFacts()
  const regulars = useRegularBookings()
  const { dialog, open } = useDialog()
  const { class: studioClass, companion, bookedBy, classId } = booking
  const { title, date, startTime } = studioClass
  const slot = slotOfClass(studioClass)
  const isRegular = regulars.data?.some(({ day, startTime }) => slot === `Every ${day} at ${startTime}`) ?? true
  const mayInvite =
    !companion &&
    !bookedBy &&
    booking.hasFreePlace &&
    booking.maxParticipants > 1 &&
    canInvite(now, Temporal.Instant.from(studioClass.startsAt))
  return (
    <>
      <More
        of={`${title}, ${formatDay(date)}, ${startTime}`}
        items={[
          mayInvite && {
            label: 'Add companion',
            name: `Add companion to ${nameOfClass(studioClass)}`,
            onSelect: () => open(CompanionDialog, { booking }),
          },
          !isRegular &&
            booking.isWeekly && {
              label: slot,
              name: `${slot}: book ${title} every week`,
              onSelect: () =>
                open(RegularDialog, { of: { classId, title, date, startTime }, companion: companion ?? undefined }),
            },
          ...calendarLinks(booking.id, studioClass, `${name}, ${addressLine(address)}`).map((link) => ({
            label: `Add to ${link.name} calendar`,
            href: link.href,
            opens: link.href.startsWith('/') ? ('download' as const) : ('new tab' as const),
          })),
        ]}
      />
      {dialog}
    </>
  )
}
