import userPlus from '@lucide/icons/icons/user-plus'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminUser } from '#insights/contract.ts'
import { insightsApi } from '#insights/web/api.ts'
import { InvitedBadge } from '#insights/web/invited-badge.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { Icon } from '#ui/icon.tsx'
import { ReadFailed } from '#ui/query-view.tsx'
import { SearchList } from '#ui/search-list.tsx'
import { AddMemberDialog } from '../users/add-member-dialog.tsx'
import { BookForDialog } from '../users/book-for-dialog.tsx'
import { GiftCreditsDialog } from '../users/gift-credits-dialog.tsx'
import { aboutSale, RECORD_SALE, RecordSale } from '../users/record-sale-dialog.tsx'
import type { NamedUser } from '../users/user-dialogs.tsx'

type Chosen = { member: NamedUser; lacksHealth: boolean; wasAdded: boolean }
type Step =
  | { at: 'find'; words: string }
  | { at: 'add'; words: string }
  | ({ at: 'credits' } & Chosen)
  | ({ at: 'book' } & Chosen)

/**
 * Chooses a member, then books: a new member can be added and credits sold or gifted on the way. The last step is the
 * dialog of the member's page.
 *
 * @param classId the preselected class
 */
export function BookForMemberDialog({ classId, onClose }: { classId?: number; onClose: () => void }) {
  const [step, setStep] = useState<Step>({ at: 'find', words: '' })
  const find = (words = '') => setStep({ at: 'find', words })
  if (step.at === 'add') {
    return (
      <AddMemberDialog
        begun={step.words}
        onAdded={(member) => setStep({ at: 'credits', member, lacksHealth: true, wasAdded: true })}
        onTaken={find}
        onClose={() => find(step.words)}
      />
    )
  }
  if (step.at === 'credits') {
    return (
      <NoCreditsDialog
        member={step.member}
        wasAdded={step.wasAdded}
        onDone={() => setStep({ ...step, at: 'book' })}
        onClose={onClose}
      />
    )
  }
  if (step.at === 'book') {
    const { member, lacksHealth } = step
    return <BookForDialog user={member} classId={classId} lacksHealth={lacksHealth} onClose={onClose} />
  }
  return (
    <Dialog open onClose={onClose} title="Book for a member" description="Who would you like to book for?">
      <MemberPicker
        begun={step.words}
        onChoose={(member) => {
          const at = member.totalCredits > 0 ? 'book' : 'credits'
          setStep({ at, member, lacksHealth: !member.healthComplete, wasAdded: false })
        }}
        onAdd={(words) => setStep({ at: 'add', words })}
      />
    </Dialog>
  )
}

/** This member has no credits: ways to get one, then the booking continues. */
function NoCreditsDialog({
  member,
  wasAdded,
  onDone,
  onClose,
}: {
  member: NamedUser
  /** They were added just now. */
  wasAdded: boolean
  /** Called once they have credits. */
  onDone: () => void
  onClose: () => void
}) {
  const [way, setWay] = useState<'sale' | 'gift'>()
  const back = () => setWay(undefined)
  if (way === 'gift') return <GiftCreditsDialog user={member} suggests onGiven={onDone} onClose={back} />
  if (way === 'sale') {
    return (
      <Dialog open onClose={back} title={RECORD_SALE} description={aboutSale(member)}>
        <RecordSale user={member} back="Back" onDone={onDone} onClose={back} />
      </Dialog>
    )
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={wasAdded ? `${member.firstName} has been added` : `${member.firstName} has no credits left`}
      description="A class is paid for with a credit, so they need a pass first."
    >
      <DialogActions>
        <Button variant="quiet" onClick={onClose}>
          Not now
        </Button>
        <Button variant="secondary" onClick={() => setWay('gift')}>
          Gift Credits
        </Button>
        <Button onClick={() => setWay('sale')}>{RECORD_SALE}</Button>
      </DialogActions>
    </Dialog>
  )
}

/** Members shown; a longer search narrows them down. */
const OFFERED = 6

/**
 * Finds a member while typing, with what the desk needs to know about them; or adds one.
 *
 * @param begun the initial search
 * @param onAdd called with the search if it found nobody
 */
function MemberPicker({
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

/** Two lines, on a phone too: name and credits, email and health form. */
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
