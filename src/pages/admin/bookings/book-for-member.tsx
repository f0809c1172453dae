import { useState } from 'react'
import type { AdminUser } from '../../../insights/contract.ts'
import { useUsers } from '../../../insights/web/users.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { SearchBox } from '../../../ui/pager.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { BookForDialog } from '../users/book-for-dialog.tsx'

/** So many are offered; who is not among them is found by more letters. */
const OFFERED = 6

/**
 * Whom first, then what: the second half is the member's page's own dialog.
 *
 * @param classId the class that is chosen already
 */
export function BookForMemberDialog({ classId, onClose }: { classId?: number; onClose: () => void }) {
  const [member, setMember] = useState<AdminUser>()
  if (member) return <BookForDialog user={member} classId={classId} onClose={onClose} />
  return (
    <Dialog open onClose={onClose} title="Book for a member" description="Whom would you like to book for?">
      <MemberSearch onChoose={setMember} />
    </Dialog>
  )
}

function MemberSearch({ onChoose }: { onChoose: (member: AdminUser) => void }) {
  const [search, setSearch] = useState('')
  const found = useUsers({ limit: OFFERED, offset: 0, search: search || undefined })
  return (
    <div className="mt-6">
      <SearchBox label="Name or email" search={search} onSearch={(words) => setSearch(words.trim())} />
      <div className="mt-4 min-h-48">
        <QueryView query={found} failed="The users could not be loaded.">
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
        </QueryView>
      </div>
    </div>
  )
}

const credits = ({ totalCredits }: AdminUser) => `${totalCredits} credit${totalCredits === 1 ? '' : 's'} left`
