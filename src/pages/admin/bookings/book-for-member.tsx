import userPlus from '@lucide/icons/icons/user-plus'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { fullName } from '#accounts/rules.ts'
import { bookingApi } from '#booking/web/api.ts'
import { staffBookingApi } from '#booking/web/staff-api.ts'
import { many } from '#foundation/collections.ts'
import type { AdminUser } from '#insights/contract.ts'
import { insightsApi } from '#insights/web/api.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { Tick } from '#ui/form-choices.tsx'
import { Icon } from '#ui/icon.tsx'
import { ReadFailed } from '#ui/query-view.tsx'
import { SearchList } from '#ui/search-list.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { DialogForm } from '../dialog-form.tsx'
import { notificationText } from '../messages/notification-text.ts'
import { AddMemberDialog } from '../users/add-member-dialog.tsx'
import { aboutSale, GiftCreditsDialog, RecordSale, RecordSaleDialog } from '../users/credit-dialogs.tsx'
import { InvitedBadge, RECORD_SALE, type UserName } from '../users/member-details.tsx'
import { ClassField, isPast, useClassesAhead } from './class-choice.tsx'

type Chosen = { member: UserName; lacksHealth: boolean; wasAdded: boolean }

/**
 * Chooses a member, then books: a new member can be added and credits sold or gifted on the way.
 *
 * @param classId the preselected class
 */
export function BookForMemberDialog({ classId, onClose }: { classId?: number; onClose: () => void }) {
  const [chosen, setChosen] = useState<Chosen>()
  const [hasCredits, setHasCredits] = useState(false)
  if (!chosen) {
    return (
      <FindMemberDialog
        title="Book for a member"
        description="Who would you like to book for?"
        onFound={(member, found) => {
          setChosen({ member, lacksHealth: !found?.healthComplete, wasAdded: !found })
          setHasCredits(Number(found?.totalCredits) > 0)
        }}
        onClose={onClose}
      />
    )
  }
  if (!hasCredits) return <NoCreditsDialog {...chosen} onDone={() => setHasCredits(true)} onClose={onClose} />
  return <BookForDialog user={chosen.member} classId={classId} lacksHealth={chosen.lacksHealth} onClose={onClose} />
}

/** Sells or gifts a pass to a member without credits; then the booking continues. */
function NoCreditsDialog({ member, wasAdded, onDone, onClose }: Chosen & { onDone: () => void; onClose: () => void }) {
  const [way, setWay] = useState<'sale' | 'gift'>()
  const back = () => setWay(undefined)
  if (way === 'gift') return <GiftCreditsDialog user={member} hasSuggestion onGiven={onDone} onClose={back} />
  if (way === 'sale') return <RecordSaleDialog user={member} back="Back" onDone={onDone} onClose={back} />
  return (
    <Dialog
      onClose={onClose}
      title={wasAdded ? `${member.firstName} has been added` : `${member.firstName} has no credits left`}
      description="To book a class, they need a pass with a credit."
    >
      <DialogActions onClose={onClose} cancel="Not now">
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

type FindProps = {
  title: string
  description: string
  /** `found` is undefined for a member who has been added. */
  onFound: (member: UserName, found?: AdminUser) => void
  onClose: () => void
}

/** Finds a member while typing, with their credits and health form; or adds one. */
export function FindMemberDialog({ title, description, onFound, onClose }: FindProps) {
  const [search, setSearch] = useState('')
  const [added, setAdded] = useState<string>()
  const users = useQuery(
    insightsApi.listUsers.pageOptions({ query: { limit: OFFERED, offset: 0, search: search || undefined } }),
  )
  const found = users.isPlaceholderData ? undefined : users.data?.rows
  const hasNoMatch = users.data?.rows.length === 0
  if (added !== undefined) {
    const back = (words: string) => {
      setSearch(words)
      setAdded(undefined)
    }
    return (
      <AddMemberDialog
        search={added}
        onAdded={(member) => onFound(member)}
        onTaken={back}
        onClose={() => back(added)}
      />
    )
  }
  return (
    <Dialog onClose={onClose} title={title} description={description}>
      <div className="mt-6 min-h-[29.5rem]">
        <SearchList
          label="Name, email or phone"
          search={search}
          found={found}
          keyOf={({ id }) => id}
          nameOf={fullName}
          onSearch={setSearch}
          onChoose={(member) => onFound(member, member)}
        >
          {(user) => <Found user={user} />}
        </SearchList>
        {users.isError && (
          <ReadFailed title="The members could not be loaded." error={users.error} onAgain={users.refetch} />
        )}
        <p role="status" className="mt-4 text-small text-ink-mute">
          {hasNoMatch ? 'No member matches.' : countOf(users.data)}
        </p>
      </div>
      <Button
        variant={hasNoMatch ? 'primary' : 'secondary'}
        className="mt-4 w-full sm:w-auto"
        onClick={() => setAdded(hasNoMatch ? search : '')}
      >
        <Icon of={userPlus} /> Add member
      </Button>
    </Dialog>
  )
}

function Found({ user }: { user: AdminUser }) {
  return (
    <span className="grid w-full grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 text-caption/normal text-ink-mute">
      <span className="flex flex-wrap items-center gap-x-2 text-base font-medium wrap-anywhere text-ink">
        {user.firstName} {user.lastName}
        <InvitedBadge user={user} />
      </span>
      <span className="text-right text-small whitespace-nowrap text-ink-soft">
        {many(user.totalCredits, 'credit')} left
      </span>
      <span className="truncate">{user.email ?? user.phone}</span>
      <span className={`text-right whitespace-nowrap ${user.healthComplete ? '' : 'font-medium text-warn'}`}>
        {user.healthComplete ? 'Health complete' : 'No health form'}
      </span>
    </span>
  )
}

function countOf(page: { total: number; rows: unknown[] } | undefined): string {
  if (!page) return 'Loading...'
  const { total, rows } = page
  return total > rows.length ? `${rows.length} of ${total} members. Type more to narrow it down.` : `${total} found.`
}

type BookForProps = {
  user: UserName
  classId?: number | undefined
  /** The health form is known to be missing, so that the checkbox is shown immediately. */
  lacksHealth?: boolean
  onClose: () => void
}

/**
 * Books a class for a member with their pass and under the same rules; shows why if it is refused. A class that has
 * started, or a missing health form, needs a tick. Without a usable pass, a sale can be recorded in between.
 */
export function BookForDialog({ user, classId, lacksHealth = false, onClose }: BookForProps) {
  const [selling, setSelling] = useState(false)
  const [lacks, setLacks] = useState<'health' | 'pass' | 'place'>()
  const form = useForm<{ classId: string; override?: boolean }>({
    defaultValues: { classId: classId ? String(classId) : '' },
    shouldUnregister: true,
  })
  const chosenId = form.watch('classId')
  const chosen = useClassesAhead().data?.find(({ id }) => String(id) === chosenId)
  const healthException = lacksHealth || lacks === 'health' ? 'health' : undefined
  const exception = chosen && isPast(chosen.startsAt) ? 'started' : healthException
  const book = useAdminMutation({
    mutationFn: (sent: { classId: string; override?: boolean }) =>
      bookingApi.bookClass.call({
        body: {
          classId: Number(sent.classId),
          userId: user.id,
          participantCount: 1,
          usePass: true,
          override: exception && sent.override,
        },
      }),
    toasts: { success: `Booked for ${fullName(user)}`, failure: 'Failed to book' },
    onSuccess: onClose,
    onRefused: (error) => setLacks(lackOf(error)),
  })
  const wait = useAdminMutation({
    mutationFn: () =>
      staffBookingApi.joinForMember.call({ params: { id: Number(chosenId) }, body: { userId: user.id } }),
    toasts: { success: `${fullName(user)} is on the waiting list`, failure: 'Failed to put them on the waiting list' },
    onSuccess: onClose,
  })
  const continueBooking = () => {
    setSelling(false)
    void form.handleSubmit((sent) => book.mutate(sent))()
  }
  return (
    <Dialog
      onClose={onClose}
      title={selling ? RECORD_SALE : `Book for ${user.firstName}`}
      description={selling ? aboutSale(user) : `This uses one credit from their pass. ${notificationText(user)}`}
    >
      <div hidden={selling}>
        <DialogForm
          form={form}
          mutation={book}
          submit="Book class"
          aside={
            lacks === 'pass' ? (
              <Button variant="secondary" onClick={() => setSelling(true)}>
                {RECORD_SALE}
              </Button>
            ) : (
              lacks === 'place' && (
                <Button variant="secondary" runs={wait}>
                  Put on waiting list
                </Button>
              )
            )
          }
          onClose={onClose}
        >
          <ClassField label="Class" isOffered={({ endsAt }) => !isPast(endsAt)} />
          {exception && (
            <Tick name="override" rules={{ required: 'Please tick this to continue' }} {...EXCEPTIONS[exception]} />
          )}
        </DialogForm>
      </div>
      {selling && <RecordSale user={user} back="Back" onDone={continueBooking} onClose={() => setSelling(false)} />}
    </Dialog>
  )
}

function lackOf(error: Error) {
  const { isRefusal } = bookingApi.bookClass
  if (isRefusal(error, 'health_information_missing')) return 'health'
  if (isRefusal(error, 'class_full')) return 'place'
  // A pass bought now would pay.
  const needsPass = isRefusal(
    error,
    'no_class_pass',
    'no_credits',
    'pass_on_hold',
    'pass_paused',
    'pass_expires_before_class',
  )
  return needsPass ? 'pass' : undefined
}

/** Exceptions to the rules are confirmed first and recorded. */
const EXCEPTIONS = {
  started: { label: 'The class has started, and they are here' },
  health: {
    label: 'Book anyway',
    help: 'Their health information is missing. Ask them about their health before they start. Today’s list shows this until they fill in the form.',
  },
} as const
