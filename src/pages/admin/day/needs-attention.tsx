import chevronDown from '@lucide/icons/icons/chevron-down'
import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { phoneHref } from '#accounts/rules.ts'
import type { AttentionItem } from '#attention/contract.ts'
import { attentionApi } from '#attention/web/api.ts'
import { staffBookingApi } from '#booking/web/staff-api.ts'
import { formatInstant } from '#foundation/instants.ts'
import { LineLink } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { Icon } from '#ui/icon.tsx'
import { ReadFailed } from '#ui/query-view.tsx'
import { RowButton } from '#ui/rows.tsx'
import { useAdminMutation } from '../admin-mutation.ts'

/** Items shown at first, on a phone fewer: the day's sessions should stay in view. */
const FIRST = 4
const FIRST_ON_A_PHONE = 2

/** What needs the owner's attention, above the day; nothing if there is none. */
export function NeedsAttention({ query }: { query: UseQueryResult<AttentionItem[]> }) {
  const [all, setAll] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  // The pressed button disappears with its item.
  const focusHeading = () => heading.current?.focus()
  if (query.isError)
    return (
      <ReadFailed
        title="The list of what needs attention could not be loaded."
        error={query.error}
        onAgain={query.refetch}
      />
    )
  const items = query.data ?? []
  if (items.length === 0) return null
  return (
    <section
      aria-labelledby="needs-attention"
      className="mb-8 rounded-card bg-linen px-5 py-2.5 max-sm:mb-6 max-sm:px-4 max-sm:pb-1 sm:px-7"
    >
      <div className="flex min-h-11 items-center justify-between gap-4">
        <h2 id="needs-attention" tabIndex={-1} ref={heading} className="title">
          Needs attention
        </h2>
        {!all && items.length > FIRST_ON_A_PHONE && (
          <RowButton
            label={`Show all ${items.length}`}
            variant="quiet"
            className={`-mr-3 px-3 ${items.length > FIRST ? '' : 'sm:hidden'}`}
            onClick={() => {
              setAll(true)
              focusHeading()
            }}
          />
        )}
      </div>
      <ul>
        {(all ? items : items.slice(0, FIRST)).map((item, i) => (
          <Item
            key={`${item.kind} ${item.about}`}
            item={item}
            onSettled={focusHeading}
            className={all || i < FIRST_ON_A_PHONE ? '' : 'max-sm:hidden'}
          />
        ))}
      </ul>
    </section>
  )
}

type ItemProps = { item: AttentionItem; onSettled: () => void }

function Item({ item, onSettled, className }: ItemProps & { className: string }) {
  const [open, setOpen] = useState(false)
  const { title, text, since, link } = item
  return (
    <li
      className={`flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-t border-line py-2.5 first:border-t-0 max-sm:py-0 ${className}`}
    >
      <div className="min-w-0 flex-1 basis-80 max-sm:basis-full">
        <div className="relative flex items-center gap-2 max-sm:min-h-11">
          <p
            className={`min-w-0 flex-1 font-medium wrap-anywhere max-sm:text-small ${open ? 'max-sm:pt-2.5 max-sm:pb-1' : 'max-sm:truncate'}`}
          >
            {title}
          </p>
          <button
            type="button"
            aria-expanded={open}
            aria-label={`What to do: ${title}`}
            onClick={() => setOpen(!open)}
            className="-mr-3 grid size-11 flex-none place-items-center rounded-full after:absolute after:inset-0 sm:hidden"
          >
            <Icon of={chevronDown} size={18} className={`transition-transform ${open ? 'rotate-180' : ''}`} />
          </button>
        </div>
        <p
          className={`max-w-[70ch] text-small/normal text-ink-soft wrap-anywhere sm:mt-1 ${open ? '' : 'max-sm:hidden'}`}
        >
          {text}
          {since && <span className="text-ink-mute"> Since {formatInstant(since)}.</span>}
        </p>
      </div>
      <div className={`flex flex-wrap items-center gap-x-3 gap-y-1 max-sm:pb-3 ${open ? '' : 'max-sm:hidden'}`}>
        {item.phone && (
          <a
            href={phoneHref(item.phone)}
            aria-label={`Call: ${item.title}`}
            className="link inline-flex min-h-11 items-center text-small"
          >
            Call
          </a>
        )}
        {item.kind === 'place_to_offer' ? (
          <OfferPlace item={item} onSettled={onSettled} />
        ) : (
          <Actions item={item} onSettled={onSettled} />
        )}
        {link && (
          <LineLink to={link.path} aria-label={`${link.label}: ${item.title}`} className="text-small">
            {link.label}
          </LineLink>
        )}
      </div>
    </li>
  )
}

/** What a button says, and its accessible name. */
const labelled = (label: string, { title }: AttentionItem) => ({ label, name: `${label}: ${title}` })

const RETRIED: readonly AttentionItem['kind'][] = ['queue_late', 'job_failed', 'payment_unread']

function Actions({ item, onSettled }: ItemProps) {
  const [isAsking, setIsAsking] = useState(false)
  const isJob = RETRIED.includes(item.kind)
  const erasing = useSettle(item, onSettled, 'confirm', 'Confirmed. We are erasing it now', 'Failed to confirm')
  const sending = useSettle(item, onSettled, 'sendAgain', isJob ? 'Trying again' : 'Sent again', 'Failed to send again')
  const marking = useSettle(item, onSettled, 'markDone', 'Marked as done', 'Failed to mark as done')
  return (
    <>
      {item.actions.includes('confirm') && (
        <RowButton {...labelled('Erase now', item)} onClick={() => setIsAsking(true)} />
      )}
      {isAsking && (
        <ConfirmDialog
          title="Is the date right?"
          text={`${item.text} This cannot be undone.`}
          confirm="Erase now"
          busy={erasing.isPending}
          onConfirm={() => erasing.mutate()}
          onClose={() => setIsAsking(false)}
        />
      )}
      {item.actions.includes('send_again') && (
        <RowButton {...labelled(isJob ? 'Try again' : 'Send again', item)} runs={sending} />
      )}
      {item.actions.includes('done') && (
        <RowButton {...labelled('Mark as done', item)} variant="quiet" className="-mx-3 px-3" runs={marking} />
      )}
    </>
  )
}

/** The owner has the member on the phone: book the kept place, or take them off the waiting list. */
function OfferPlace({ item, onSettled }: ItemProps) {
  const [id = '', userId = ''] = item.about.split(' ')
  const params = { id, userId }
  const options = { toasts: { success: 'Booked', failure: 'Failed to book' }, onSuccess: onSettled }
  const book = useAdminMutation({ mutationFn: () => staffBookingApi.confirmPlace.call({ params }), ...options })
  const decline = useAdminMutation({
    mutationFn: () => staffBookingApi.leaveForMember.call({ params }),
    ...options,
    toasts: { success: 'Taken off the waiting list', failure: 'Failed to take them off' },
  })
  return (
    <>
      <RowButton {...labelled('Book the place', item)} runs={book} />
      <RowButton {...labelled('They don’t want it', item)} variant="quiet" className="-mx-3 px-3" runs={decline} />
    </>
  )
}

/** Settles one item and returns the remaining list. After a lost response, an item not in the list was settled. */
function useSettle(
  { kind, about }: AttentionItem,
  onSettled: () => void,
  action: 'confirm' | 'sendAgain' | 'markDone',
  success: string,
  failure: string,
) {
  const queries = useQueryClient()
  return useAdminMutation({
    mutationFn: () => attentionApi[action].call({ body: { kind, about } }),
    toasts: { success, failure },
    onSuccess: (left) => {
      queries.setQueryData(attentionApi.listAttention.key, left)
      onSettled()
    },
  })
}
