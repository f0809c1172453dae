import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { fullName } from '#accounts/rules.ts'
import { many } from '#foundation/collections.ts'
import { addDays, formatDate, formatDay } from '#foundation/dates.ts'
import { formatInstantDate, today } from '#foundation/instants.ts'
import { insightsApi } from '#insights/web/api.ts'
import { ExtensionForm, type Pass, PauseForm } from '#passes/contract.ts'
import { pauseFrom } from '#passes/rules.ts'
import { nameOf, passesApi } from '#passes/web/passes.ts'
import type { PausePreview } from '#schedule/contract-pauses.ts'
import { scheduleApi } from '#schedule/web/api.ts'
import { Callout } from '#ui/callout.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { DateField } from '#ui/form-date-field.tsx'
import { TextField } from '#ui/form-fields.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { previewOfTyped } from '#ui/refetch-shown.ts'
import { RowButton } from '#ui/rows.tsx'
import type { OpenDialog } from '#ui/use-dialog.ts'
import { present } from '#ui/use-now.ts'
import { useAdminMutation } from '../admin-mutation.ts'
import { ChangeDialog, ConfirmChange, FormDialog } from '../dialog-form.tsx'
import { notificationsText, notificationText } from '../messages/notification-text.ts'
import type { UserName } from './member-details.tsx'

const lastDayOf = ({ expiresAt }: Pass) => today(Temporal.Instant.from(expiresAt))
const isExpired = (pass: Pass) => lastDayOf(pass) < today(present())

type PassOf = { pass: Pass; user: UserName }

/** What the owner can change about a pass's expiry: an expired one is only extended, a void or refunded one nothing. */
export function PassButtons({ open, ...held }: PassOf & { open: OpenDialog }) {
  const { pass } = held
  const name = `${nameOf(pass)}, valid until ${formatInstantDate(pass.expiresAt)}`
  if (pass.isEnded) return null
  return (
    <>
      {!isExpired(pass) && (
        <RowButton label="Pause" name={`Pause ${name}`} variant="quiet" onClick={() => open(PauseDialog, held)} />
      )}
      {pauseFrom(pass, today(present())) && (
        <RowButton
          label="End pause"
          name={`End the pause of ${name}`}
          variant="quiet"
          onClick={() => open(ResumeDialog, held)}
        />
      )}
      <RowButton label="Extend" name={`Extend ${name}`} variant="quiet" onClick={() => open(ExtendDialog, held)} />
    </>
  )
}

/** A member's passes that expire soon, each with what can be changed. `open` shows the chosen dialog instead. */
export function ExpiringPassesDialog({
  user,
  until,
  open,
  onClose,
}: {
  user: UserName
  /** The last day, `YYYY-MM-DD`. */
  until: string
  open: OpenDialog
  onClose: () => void
}) {
  const page = useQuery(insightsApi.getMemberPage.queryOptions({ params: { id: user.id } }))
  const isSoon = (pass: Pass) => pass.creditsRemaining > 0 && !isExpired(pass) && lastDayOf(pass) <= until
  return (
    <Dialog onClose={onClose} title={`Passes of ${fullName(user)}`}>
      <QueryView query={page} failed="The passes could not be loaded.">
        {({ passes }) => (
          <ul className="mt-4 border-t border-line">
            {passes.filter(isSoon).map((pass) => (
              <li key={pass.id} className="border-b border-line py-3">
                <p className="font-medium">{nameOf(pass)}</p>
                <p className="text-small text-ink-soft">
                  {many(pass.creditsRemaining, 'credit')}, until {formatInstantDate(pass.expiresAt)}
                </p>
                <div className="mt-1 -ml-5 flex flex-wrap">
                  <PassButtons pass={pass} user={user} open={open} />
                </div>
              </li>
            ))}
          </ul>
        )}
      </QueryView>
      <DialogActions>
        <RowButton label="Close" variant="quiet" onClick={onClose} />
      </DialogActions>
    </Dialog>
  )
}

const WHY = 'The member reads it. Please leave out anything about their health.'
const A_WEEK = 6

type DialogProps = PassOf & { onClose: () => void }

function PauseDialog({ pass, user, onClose }: DialogProps) {
  const now = today(present())
  const form = useForm({
    resolver: zodResolver(PauseForm),
    defaultValues: { from: now, to: addDays(now, A_WEEK), reason: '' },
  })
  const [from, to] = form.watch(['from', 'to'])
  const isValid = from <= to
  const preview = useQuery({
    ...scheduleApi.previewPause.queryOptions({ params: { id: pass.id }, query: { from, to } }),
    enabled: isValid,
    ...previewOfTyped,
  })
  const pause = useAdminMutation({
    mutationFn: (body: PauseForm) =>
      scheduleApi.pausePass.call({
        params: { id: pass.id },
        body: { ...body, bookingIds: preview.data?.bookings.map(({ id }) => id) },
      }),
    toasts: { success: 'Pass paused', failure: 'Failed to pause the pass' },
    onSuccess: onClose,
  })
  return (
    <FormDialog
      title="Pause pass"
      description={`${nameOf(pass)}, valid until ${formatInstantDate(pass.expiresAt)}. The days are added to the pass, and it cannot pay for classes on them.`}
      form={form}
      mutation={pause}
      submit="Pause pass"
      disabled={!preview.isSuccess || preview.isPlaceholderData}
      onLoad={async () => void (await preview.refetch())}
      onClose={onClose}
    >
      <DateField
        name="from"
        label="First day"
        min={today(Temporal.Instant.from(pass.createdAt))}
        max={lastDayOf(pass)}
        onChange={(date) => date > to && form.setValue('to', date)}
      />
      <DateField name="to" label="Last day" min={from} max={addDays(from, 365)} />
      <TextField name="reason" label="Reason" help={WHY} />
      {isValid && (
        <QueryView query={preview} failed="The pass cannot be paused on these days.">
          {(consequences) => <Consequences of={consequences} user={user} />}
        </QueryView>
      )}
    </FormDialog>
  )
}

function Consequences({ of: { expiresAt, bookings, heldPlaces }, user }: { of: PausePreview; user: UserName }) {
  const companions = bookings.map((booking) => booking.user).filter(({ id }) => id !== user.id)
  const everyone = [{ id: user.id, isByPhone: user.email === null }, ...companions]
  return (
    <Callout role="status" tone={bookings.length + heldPlaces.length > 0 ? 'warn' : 'plain'}>
      <p>The pass will be valid until {formatInstantDate(expiresAt)}.</p>
      {bookings.length > 0 && (
        <>
          <p className="mt-2">
            We’ll cancel {many(bookings.length, 'booking')} and return{' '}
            {bookings.length === 1 ? 'the credit' : 'the credits'}:
          </p>
          <ul className="mt-1 list-disc pl-5">
            {bookings.map(({ id, class: studioClass, user: member }) => (
              <li key={id}>
                {formatDay(studioClass.date)}, {studioClass.startTime}: {studioClass.title}, {fullName(member)}
              </li>
            ))}
          </ul>
        </>
      )}
      {heldPlaces.length > 0 && (
        <>
          <p className="mt-2">We’ll also end {many(heldPlaces.length, 'place')} held for companions and email them:</p>
          <ul className="mt-1 list-disc pl-5">
            {heldPlaces.map(({ id, class: studioClass, companion }) => (
              <li key={id}>
                {formatDay(studioClass.date)}, {studioClass.startTime}: {studioClass.title}, {fullName(companion)}
              </li>
            ))}
          </ul>
        </>
      )}
      <p className="mt-2">{companions.length > 0 ? notificationsText(everyone) : notificationText(user)}</p>
    </Callout>
  )
}

function ResumeDialog({ pass, user, onClose }: DialogProps) {
  const paused = pauseFrom(pass, today(present()))
  return (
    <ConfirmChange
      title="End the pause?"
      text={`${nameOf(pass)}${paused ? ` is paused from ${formatDate(paused.from)} to ${formatDate(paused.to)}` : ''}. It can be used again from today, and its remaining paused days are taken off again. ${notificationText(user)}`}
      keep="Keep paused"
      confirm="End pause"
      mutationFn={() => passesApi.resumePass.call({ params: { id: pass.id } })}
      toasts={{ success: 'Pause ended', failure: 'Failed to end the pause' }}
      onClose={onClose}
    />
  )
}

function ExtendDialog({ pass, user, onClose }: DialogProps) {
  const now = today(present())
  const last = lastDayOf(pass)
  return (
    <ChangeDialog
      title="Extend pass"
      description={`${nameOf(pass)}${isExpired(pass) ? ` expired on ${formatDate(last)}. The credits that it had then can be used again.` : `, valid until ${formatDate(last)}.`} ${notificationText(user)}`}
      schema={ExtensionForm}
      values={{ expiresAt: addDays(last < now ? now : last, A_WEEK + 1), reason: '' }}
      mutationFn={(body) => passesApi.extendPass.call({ params: { id: pass.id }, body })}
      toasts={{
        success: ({ expiresAt }) => `Pass extended to ${formatInstantDate(expiresAt)}`,
        failure: 'Failed to extend the pass',
      }}
      submit="Extend pass"
      onClose={onClose}
    >
      <DateField name="expiresAt" label="New last day" min={last < now ? now : addDays(last, 1)} />
      <TextField name="reason" label="Reason" help={WHY} />
    </ChangeDialog>
  )
}
