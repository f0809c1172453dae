import userPlus from '@lucide/icons/icons/user-plus'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminUser } from '#insights/contract.ts'
import { insightsApi } from '#insights/web/api.ts'
import { InvitedBadge } from '#insights/web/invited-badge.tsx'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { ReadFailed } from '#ui/query-view.tsx'
import { SearchList } from '#ui/search-list.tsx'

/** So many are offered; who is not among them is found by more letters. */
const OFFERED = 6

/**
 * Whom it is about, found as one types, with what the desk must know of them; somebody new is one tap away.
 *
 * @param begun words to begin with
 * @param onAdd somebody new; the words that found nobody
 */
export function MemberPicker({
  begun = '',
  onChoose,
  onAdd,
}: {
  begun?: string
  onChoose: (member: AdminUser) => void
  onAdd: (words: string) => void
}) {
  const [search, setSearch] = useState(begun)
  const users = useQuery({
    ...insightsApi.listUsers.pageOptions({ query: { limit: OFFERED, offset: 0, search: search || undefined } }),
  })
  const found = users.isPlaceholderData ? undefined : users.data?.rows
  const isNobody = users.data?.rows.length === 0
  return (
    <div className="mt-6">
      <div className="min-h-[29.5rem]">
        <SearchList
          label="Name, email or phone"
          search={search}
          found={found}
          keyOf={({ id }) => id}
          nameOf={({ firstName, lastName }) => `${firstName} ${lastName}`}
          onSearch={setSearch}
          onChoose={onChoose}
        >
          {(user) => <Found user={user} />}
        </SearchList>
        {users.isError && <ReadFailed title="The members could not be loaded." onAgain={users.refetch} />}
        <p role="status" className="mt-4 text-[0.9375rem] text-ink-mute">
          {isNobody ? 'No member matches.' : howMany(users.data)}
        </p>
      </div>
      <Button
        variant={isNobody ? 'primary' : 'secondary'}
        className="mt-4 w-full sm:w-auto"
        onClick={() => onAdd(isNobody ? search : '')}
      >
        <Icon of={userPlus} aria-hidden strokeWidth={1.5} /> Add member
      </Button>
    </div>
  )
}

/** Two lines, also on a phone: who, and what they have; how to tell them apart, and whether their health form is there. */
function Found({ user }: { user: AdminUser }) {
  return (
    <span className="grid w-full grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 text-[0.875rem]/[1.5] text-ink-mute">
      <span className="flex flex-wrap items-center gap-x-2 text-base font-medium [overflow-wrap:anywhere] text-ink">
        {user.firstName} {user.lastName}
        <InvitedBadge user={user} />
      </span>
      <span className="text-right text-[0.9375rem] whitespace-nowrap text-ink-soft">{credits(user)}</span>
      <span className="truncate">{user.email}</span>
      <span className={`text-right whitespace-nowrap ${user.healthComplete ? '' : 'font-medium text-warn'}`}>
        {user.healthComplete ? 'Health complete' : 'No health form'}
      </span>
    </span>
  )
}

const credits = ({ totalCredits }: AdminUser) => `${totalCredits} credit${totalCredits === 1 ? '' : 's'} left`

function howMany(page: { total: number; rows: unknown[] } | undefined): string {
  if (!page) return 'Loading...'
  const { total, rows } = page
  return total > rows.length ? `${rows.length} of ${total} members. Type more to narrow it down.` : `${total} found.`
}
