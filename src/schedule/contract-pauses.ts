import { z } from 'zod'
import { ClassFacts } from '#booking/contract.ts'
import { Affected } from '#booking/contract-classes.ts'
import { endpoint } from '#foundation/endpoint.ts'
import { Id, InstantText, PathId } from '#foundation/fields.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { Pass, PauseDays, PauseForm, passRefusals } from '#passes/contract.ts'

const MAY_NOT_PAUSE = [
  passRefusals.pass_not_found,
  passRefusals.pass_ended,
  passRefusals.pass_expired,
  passRefusals.pause_before_pass,
  passRefusals.pause_after_expiry,
  passRefusals.already_paused,
]

export const PausePreview = z
  .object({
    expiresAt: InstantText,
    /** The bookings that the pause cancels, a companion's too. */
    bookings: z.array(z.object({ id: z.int(), class: ClassFacts, user: Affected })),
    /** The places held for companions that it ends. */
    heldPlaces: z.array(
      z.object({
        id: z.int(),
        class: ClassFacts,
        companion: z.object({ firstName: z.string(), lastName: z.string() }),
      }),
    ),
  })
  .meta({ id: 'PausePreview' })
export type PausePreview = z.output<typeof PausePreview>

export const previewPause = endpoint('GET /api/admin/user-passes/:id/pause', {
  summary:
    'What pausing a pass on these days would do: its new expiry, and the bookings and held places it would cancel',
  params: PathId,
  query: PauseDays,
  response: PausePreview,
  refusals: MAY_NOT_PAUSE,
})

export const pausePass = endpoint('POST /api/admin/user-passes/:id/pause', {
  summary:
    'Pause a pass on whole days, both included: they are added to its validity, and upcoming bookings it paid for on them are cancelled with the credit back',
  params: PathId,
  body: PauseForm.safeExtend({
    /** The bookings that were shown beforehand; refused if they are others by now. */
    bookingIds: z.array(Id).max(1000).nullish(),
  }),
  response: Pass,
  status: 201,
  refusals: [...MAY_NOT_PAUSE, commonRefusals.edit_conflict],
})
