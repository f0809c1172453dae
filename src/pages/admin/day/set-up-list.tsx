import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { factsApi } from '#facts/web/api.ts'
import type { SetUp, SetUpItem } from '#setup/contract.ts'
import { setUpApi } from '#setup/web/api.ts'
import { Button, LineLink } from '#ui/button.tsx'
import { ArchTick } from '#ui/mark.tsx'
import { ReadFailed } from '#ui/query-view.tsx'
import { RowButton } from '#ui/rows.tsx'
import { useAdminMutation } from '../admin-mutation.ts'

/** What a new site needs before it is the owner's; renders nothing once the owner has closed the list. */
export function SetUpList({ query }: { query: UseQueryResult<SetUp> }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The pressed button disappears.
  const focusHeading = () => heading.current?.focus()
  const finish = useConfirm('finished', 'Your site is set up', focusHeading)
  if (query.isError)
    return <ReadFailed title="The set-up list could not be loaded." error={query.error} onAgain={query.refetch} />
  const { items, done } = query.data ?? { items: [], done: 0 }
  if (items.length === 0) return null
  const isComplete = done === items.length
  return (
    <section aria-labelledby="set-up" className="mb-12 rounded-card bg-linen px-5 py-5 max-sm:mb-6 max-sm:px-4 sm:px-7">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="set-up" tabIndex={-1} ref={heading} className="title">
          {isComplete ? 'Your site is set up' : 'Make it your studio'}
        </h2>
        <p className="text-small text-ink-soft">
          {done} of {items.length}
        </p>
      </div>
      {isComplete ? (
        <div className="mt-3 flex flex-wrap items-center justify-between gap-4">
          <p className="text-ink-soft">Everything is confirmed. You can change it at any time in Studio settings.</p>
          <Button small runs={finish}>
            Close the list
          </Button>
        </div>
      ) : (
        <>
          <p className="mt-1 max-w-[70ch] text-small text-ink-soft">
            Until studio, address and contact are confirmed, search engines are kept out and nobody can pay by card.
          </p>
          <ul className="mt-3">
            {items.map((item) => (
              <Item key={item.item} item={item} onSettled={focusHeading} />
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function Item({ item, onSettled }: { item: SetUpItem; onSettled: () => void }) {
  const { title, text, isDone, action, link } = item
  const isTest = action === 'send'
  const sendLabel = isDone ? 'Send again' : 'Send'
  const label = isTest ? sendLabel : 'Confirm'
  const confirm = useConfirm(
    item.item,
    isTest ? 'The test email is on its way' : 'Confirmed',
    isTest ? undefined : onSettled,
  )
  return (
    <li className="grid grid-cols-[32px_minmax(0,1fr)] gap-x-2 border-t border-line py-3.5">
      {isDone ? (
        <ArchTick size={28} className="-ml-1 text-ok" />
      ) : (
        <span aria-hidden className="mt-1 size-5 rounded-full border border-line-strong" />
      )}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="min-w-0 flex-1 basis-72">
          <p className="font-medium">
            {title}
            {isDone && <span className="sr-only">, done</span>}
          </p>
          <p className="max-w-[65ch] text-small/normal text-ink-soft wrap-anywhere">{text}</p>
        </div>
        <div className="flex flex-wrap items-center gap-x-4">
          {link && (
            <LineLink to={link.path} aria-label={`${link.label}: ${title}`} className="text-small">
              {link.label}
            </LineLink>
          )}
          {action && (
            <RowButton
              label={label}
              name={`${label}: ${title}`}
              variant={isTest && isDone ? 'quiet' : 'secondary'}
              runs={confirm}
            />
          )}
        </div>
      </div>
    </li>
  )
}

/** How long the list waits for the test email to leave. */
const LEAVES_WITHIN_MS = 5000

function useConfirm(item: SetUpItem['item'] | 'finished', success: string, onSettled?: () => void) {
  const queries = useQueryClient()
  return useAdminMutation({
    mutationFn: () => setUpApi.confirmSetUp.call({ params: { item } }),
    toasts: { success, failure: item === 'test_email' ? 'Failed to send the email' : 'Failed to confirm' },
    onSuccess: (list) => {
      queries.setQueryData(setUpApi.readSetUp.key, list)
      void queries.invalidateQueries({ queryKey: factsApi.readStudio.key })
      onSettled?.()
      if (item === 'test_email')
        setTimeout(() => queries.invalidateQueries({ queryKey: setUpApi.readSetUp.key }), LEAVES_WITHIN_MS)
    },
  })
}
