import type { Booking } from '../contract.ts'

/** That another teacher has the class since it was booked, and what the member can do. */
export function OtherTeacherNote({ booking: { bookedWith, class: studioClass } }: { booking: Booking }) {
  return (
    <p className="order-1 mt-1 mb-2 basis-full text-small/even text-clay">
      <span className="block max-w-[60ch]">
        With {studioClass.instructorName} instead of {bookedWith}. Until it starts you can cancel and keep your credit.
      </span>
    </p>
  )
}
