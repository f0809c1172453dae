import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ClassPicker } from '../../booking/web/class-picker.tsx'
import { today } from '../../booking/web/week.ts'
import { callPage } from '../../foundation/call.ts'
import { formatLongDate } from '../../foundation/london.ts'
import type { AdminUser, listUsers } from '../../insights/contract.ts'
import type { StudioClass } from '../../timetable/contract.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { SearchBox } from '../../ui/pager.tsx'
import { Read } from '../../ui/read.tsx'
import { present } from '../../ui/use-now.ts'
import { useBookForMember } from './booking-changes.ts'

/** So many are offered; who is not among them is found by more letters. */
const OFFERED = 6

/** Whom, when, confirm. The server decides, and says what is in the way. */
export function BookForMemberDialog({ onClose }: { onClose: () => void }) {
  const [member, setMember] = useState<AdminUser>()
  const [chosen, setChosen] = useState<StudioClass>()
  const [day, setDay] = useState(() => today(present()))
  if (!member) {
    return (
      <Dialog open onClose={onClose} title="Book for a member" description="Whom would you like to book for?">
        <MemberSearch onChoose={setMember} />
      </Dialog>
    )
  }
  const name = `${member.firstName} ${member.lastName}`
  if (!chosen) {
    return (
      <Dialog open wide onClose={onClose} title={`Book for ${name}`} description={credits(member)}>
        <div className="mt-6">
          <ClassPicker day={day} onDay={setDay} onChoose={setChosen} forSomebodyElse />
        </div>
        <DialogActions>
          <Button look="quiet" onClick={() => setMember(undefined)}>
            Choose another member
          </Button>
        </DialogActions>
      </Dialog>
    )
  }
  return <Confirm member={member} chosen={chosen} onBack={() => setChosen(undefined)} onClose={onClose} />
}

function Confirm({
  member,
  chosen,
  onBack,
  onClose,
}: {
  member: AdminUser
  chosen: StudioClass
  onBack: () => void
  onClose: () => void
}) {
  const book = useBookForMember({ onDone: onClose })
  const name = `${member.firstName} ${member.lastName}`
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Book for ${name}?`}
      description={`${chosen.title}, ${formatLongDate(chosen.date)}, ${chosen.startTime} - ${chosen.endTime}. One credit is used and ${name} is told by mail.`}
    >
      {book.refusal && (
        <p role="alert" className="mt-5 rounded-row bg-warn-tint p-4 text-[0.9375rem]/[1.45] text-warn">
          {book.refusal}
        </p>
      )}
      <DialogActions>
        <Button look="quiet" onClick={onBack}>
          Choose another class
        </Button>
        <Button busy={book.isPending} onClick={() => book.mutate({ classId: chosen.id, userId: member.id })}>
          Confirm Booking
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function MemberSearch({ onChoose }: { onChoose: (member: AdminUser) => void }) {
  const [search, setSearch] = useState('')
  const found = useQuery({
    queryKey: ['admin', 'users', 'offered', search],
    queryFn: () =>
      callPage<typeof listUsers>(
        { method: 'GET', path: '/api/admin/users' },
        { query: { limit: OFFERED, search: search || undefined } },
      ),
    placeholderData: (before) => before,
  })
  return (
    <div className="mt-6">
      <SearchBox label="Name or e-mail" search={search} onSearch={(words) => setSearch(words.trim())} />
      <div className="mt-4 min-h-48">
        <Read of={found} failed="The users could not be loaded.">
          {({ rows }) =>
            rows.length === 0 ? (
              <p className="text-ink-soft">Nobody fits.</p>
            ) : (
              <ul className="border-t border-line">
                {rows.map((user) => (
                  <li key={user.id} className="border-b border-line">
                    <button
                      type="button"
                      onClick={() => onChoose(user)}
                      className="flex min-h-14 w-full flex-wrap items-center justify-between gap-x-4 px-2 py-2 text-left hover:bg-linen"
                    >
                      <span className="font-medium [overflow-wrap:anywhere]">
                        {user.firstName} {user.lastName}
                        <span className="block text-[0.875rem] font-normal text-ink-mute">{user.email}</span>
                      </span>
                      <span className="text-[0.9375rem] text-ink-soft">{credits(user)}</span>
                    </button>
                  </li>
                ))}
              </ul>
            )
          }
        </Read>
      </div>
    </div>
  )
}

const credits = ({ totalCredits }: AdminUser) => `${totalCredits} credit${totalCredits === 1 ? '' : 's'} left`
