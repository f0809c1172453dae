import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fullName } from '#accounts/rules.ts'
import { many } from '#foundation/collections.ts'
import type { DeletionFacts } from '#privacy/contract.ts'
import { isSameName, mustTypeName, staysOf } from '#privacy/rules.ts'
import { privacyApi } from '#privacy/web/api.ts'
import { TextField } from '#ui/field.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { keptAfterWrites } from '#ui/refetch-shown.ts'
import { ConfirmChange } from '../dialog-form.tsx'
import type { UserName } from './member-details.tsx'

type Props = { user: UserName; onClose: () => void; onDeleted?: () => void }

/** Lists what is deleted and what stays. The admin types the name if anything would be lost. */
export function DeleteUserDialog({ user, onClose, onDeleted }: Props) {
  const facts = useQuery({
    ...privacyApi.getDeletionFacts.queryOptions({ params: { id: user.id } }),
    gcTime: 0,
    ...keptAfterWrites,
  })
  const [typed, setTyped] = useState('')
  const name = fullName(user)
  const isTyping = facts.data !== undefined && mustTypeName(facts.data)
  return (
    <ConfirmChange
      title="Delete member?"
      text={`Are you sure you want to delete ${name}? This action cannot be undone and will permanently remove their account and all associated data.`}
      confirm="Delete member"
      disabled={!facts.data || (isTyping && !isSameName(typed, name))}
      mutationFn={() => {
        const { credits, upcomingBookings, openComplaints } = facts.data ?? {}
        return privacyApi.deleteUser.call({
          params: { id: user.id },
          query: { credits, upcomingBookings, openComplaints },
        })
      }}
      toasts={{ success: 'User deleted successfully', failure: 'Failed to delete user' }}
      onRefused={() => void facts.refetch()}
      onDone={onDeleted}
      onClose={onClose}
    >
      <div className="mt-6">
        <QueryView query={facts} failed="The list of what we would delete could not be loaded.">
          {(found) => (
            <>
              <Consequences facts={found} />
              {isTyping && (
                <div className="mt-6">
                  <TextField
                    label={`Type “${name}” to delete them`}
                    help={`You can delete them once you have typed their name, because ${whyTyped(found)}.`}
                    autoComplete="off"
                    autoCapitalize="words"
                    spellCheck={false}
                    value={typed}
                    onChange={({ target }) => setTyped(target.value)}
                  />
                </div>
              )}
            </>
          )}
        </QueryView>
      </div>
    </ConfirmChange>
  )
}

function Consequences({ facts }: { facts: DeletionFacts }) {
  const { upcomingBookings, earlierBookings, waitingLists, credits, hasHealthInformation, receipts } = facts
  const goes = [
    upcomingBookings > 0 &&
      `${many(upcomingBookings, 'upcoming booking')}, cancelled. ${facts.isEmailed ? 'We’ll email them.' : 'Please call them first.'}`,
    credits > 0 && `${many(credits, 'credit')}, without a refund`,
    waitingLists > 0 && many(waitingLists, 'place on a waiting list', 'places on waiting lists'),
    earlierBookings > 0 && many(earlierBookings, 'earlier booking'),
    hasHealthInformation && 'Health information',
    facts.openComplaints > 0 && many(facts.openComplaints, 'open complaint'),
    'Name, email address, phone number and notes',
  ]
  return (
    <div className="grid gap-5 text-small/normal sm:grid-cols-2">
      <List title="What we delete" lines={goes} />
      <List title="What we keep" lines={staysOf(receipts)} />
    </div>
  )
}

function List({ title, lines }: { title: string; lines: readonly (string | false)[] }) {
  return (
    <div>
      <h3 className="font-medium">{title}</h3>
      <ul className="mt-1 list-disc pl-5 text-ink-soft">
        {lines.filter(Boolean).map((line) => (
          <li key={String(line)}>{line}</li>
        ))}
      </ul>
    </div>
  )
}

function whyTyped({ credits, upcomingBookings, openComplaints }: DeletionFacts): string {
  if (openComplaints > 0) return 'they have an open complaint'
  const kept = [
    credits > 0 && many(credits, 'credit'),
    upcomingBookings > 0 && many(upcomingBookings, 'upcoming booking'),
  ]
  return `they have ${kept.filter(Boolean).join(' and ')}`
}
