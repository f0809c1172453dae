import chevronDown from '@lucide/icons/icons/chevron-down'
import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import type { AttentionItem } from '#attention/contract.ts'
import { attentionApi } from '#attention/web/api.ts'
import { formatInstant } from '#foundation/instants.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { Icon } from '#ui/icon.tsx'
import { ReadFailed } from '#ui/query-view.tsx'
import { useAdminMutation } from '../admin-mutation.ts'

/** Items shown at first, on a phone fewer: the day's sessions should stay in view. */
const FIRST = 4
const FIRST_ON_A_PHONE = 2

/** What needs the owner's attention, above the day; nothing if there is none. */
export function NeedsAttention({ query }: { query: UseQueryResult<AttentionItem[]> }) {
  const [all, setAll] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  // The pressed button disappears with its item.
  const onSettled = () => heading.current?.focus()
  if (query.isError) {
    return <ReadFailed title="What needs attention could not be loaded." onAgain={query.refetch} />
  }
  const items = query.data ?? []
  if (items.length === 0) return null
  const shown = all ? items : items.slice(0, FIRST)
  return (
    <section
      aria-labelledby="needs-attention"
      className="mb-12 rounded-card bg-linen px-5 py-5 max-sm:mb-6 max-sm:px-4 max-sm:pt-2.5 max-sm:pb-1 sm:px-7"
    >
      <div className="flex min-h-11 items-center justify-between gap-4">
        <h2 id="needs-attention" tabIndex={-1} ref={heading} className="title">
          Needs attention
        </h2>
        {!all && items.length > FIRST_ON_A_PHONE && (
          <Button
            variant="quiet"
            small
            className={`-mr-3 px-3 ${items.length > FIRST ? '' : 'sm:hidden'}`}
            onClick={() => {
              setAll(true)
              heading.current?.focus()
            }}
          >
            Show all {items.length}
          </Button>
        )}
      </div>
      <ul className="sm:mt-1">
        {shown.map((item, i) => (
          <Item
            key={`${item.kind} ${item.about}`}
            item={item}
            onSettled={onSettled}
            className={all || i < FIRST_ON_A_PHONE ? '' : 'max-sm:hidden'}
          />
        ))}
      </ul>
    </section>
  )
}

type Settling = { item: AttentionItem; onSettled: () => void }

/** On a phone a line that unfolds, elsewhere in full. */
function Item({ item, onSettled, className }: Settling & { className: string }) {
  const [open, setOpen] = useState(false)
  const { title, text, since, link, actions } = item
  return (
    <li
      className={`flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-t border-line py-4 first:border-t-0 max-sm:py-0 ${className}`}
    >
      <div className="min-w-0 flex-1 basis-80 max-sm:basis-full">
        <div className="relative flex items-center gap-2 max-sm:min-h-11">
          <p
            className={`min-w-0 flex-1 font-medium [overflow-wrap:anywhere] max-sm:text-[0.9375rem] ${open ? '' : 'max-sm:truncate'}`}
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
            <Icon
              of={chevronDown}
              size={18}
              strokeWidth={1.5}
              className={`transition-transform ${open ? 'rotate-180' : ''}`}
            />
          </button>
        </div>
        <p
          className={`max-w-[70ch] text-[0.9375rem]/[1.5] text-ink-soft [overflow-wrap:anywhere] sm:mt-1 ${open ? '' : 'max-sm:hidden'}`}
        >
          {text}
          {since && <span className="text-ink-mute"> Since {formatInstant(since)}.</span>}
        </p>
      </div>
      <div className={`flex flex-wrap items-center gap-x-3 gap-y-1 max-sm:pb-3 ${open ? '' : 'max-sm:hidden'}`}>
        {actions.includes('confirm') && <EraseNow item={item} onSettled={onSettled} />}
        {actions.includes('send_again') && <SendAgain item={item} onSettled={onSettled} />}
        {actions.includes('done') && <MarkDone item={item} onSettled={onSettled} />}
        {link && (
          <Link to={link.path} className="link inline-flex min-h-11 items-center text-[0.9375rem]">
            {link.label}
          </Link>
        )}
      </div>
    </li>
  )
}

/** Erases what data retention held back, once the owner has confirmed it. */
function EraseNow({ item, onSettled }: Settling) {
  const [isAsking, setIsAsking] = useState(false)
  const confirming = useSettling(item, onSettled, {
    settle: () => attentionApi.confirm.call(meant(item)),
    success: 'Confirmed: it is being erased now',
    failure: 'Failed to confirm',
  })
  return (
    <>
      <Button variant="secondary" small aria-label={`Erase now: ${item.title}`} onClick={() => setIsAsking(true)}>
        Erase now
      </Button>
      {isAsking && (
        <ConfirmDialog
          title="Is the date right?"
          text={`${item.text} This cannot be undone.`}
          confirm="Erase now"
          busy={confirming.isPending}
          onConfirm={() => confirming.mutate()}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  )
}

/** These are tried again rather than sent again. */
const TRIED_AGAIN: readonly AttentionItem['kind'][] = ['queue_late', 'job_failed', 'payment_unread']

const meant = ({ kind, about }: AttentionItem) => ({ body: { kind, about } })

function SendAgain({ item, onSettled }: Settling) {
  const isJob = TRIED_AGAIN.includes(item.kind)
  const sending = useSettling(item, onSettled, {
    settle: () => attentionApi.sendAgain.call(meant(item)),
    success: isJob ? 'Trying again' : 'Sent again',
    failure: 'Failed to send again',
  })
  const label = isJob ? 'Try again' : 'Send again'
  return (
    <Button
      variant="secondary"
      small
      busy={sending.isPending}
      aria-label={`${label}: ${item.title}`}
      onClick={() => sending.mutate()}
    >
      {label}
    </Button>
  )
}

function MarkDone({ item, onSettled }: Settling) {
  const marking = useSettling(item, onSettled, {
    settle: () => attentionApi.markDone.call(meant(item)),
    success: 'Marked as done',
    failure: 'Failed to mark as done',
  })
  return (
    <Button
      variant="quiet"
      small
      className="px-3"
      busy={marking.isPending}
      aria-label={`Mark as done: ${item.title}`}
      onClick={() => marking.mutate()}
    >
      Mark as done
    </Button>
  )
}

/** Settles one item; the reply is the remaining list. After a lost reply, an item that is no longer in the list was settled. */
function useSettling(
  { kind, about }: AttentionItem,
  onSettled: () => void,
  { settle, success, failure }: { settle: () => Promise<AttentionItem[]>; success: string; failure: string },
) {
  const queries = useQueryClient()
  return useAdminMutation({
    mutationFn: settle,
    lookAgain: async () => {
      const left = await attentionApi.listAttention.call()
      return left.some((item) => item.kind === kind && item.about === about) ? undefined : left
    },
    says: { success, failure },
    stale: [attentionApi.listAttention],
    onSuccess: (left) => {
      queries.setQueryData(attentionApi.listAttention.key, left)
      onSettled()
    },
  })
}
