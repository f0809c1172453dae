import userPlus from '@lucide/icons/icons/user-plus'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { useSession } from '#accounts/web/session.ts'
import { formatInstantDate } from '#foundation/instants.ts'
import type { AdminUser } from '#insights/contract.ts'
import { insightsApi } from '#insights/web/api.ts'
import { InvitedBadge } from '#insights/web/invited-badge.tsx'
import { writeTo } from '#mailings/web/messages.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Breakable } from '#ui/figures.tsx'
import { Icon } from '#ui/icon.tsx'
import { PagedView, SearchBox, usePaging } from '#ui/pager.tsx'
import { Rows } from '#ui/rows.tsx'
import { AddMemberDialog } from './add-member-dialog.tsx'
import { GiftCreditsDialog } from './gift-credits-dialog.tsx'
import { MemberPage } from './member-page.tsx'
import { DeleteUserDialog, EditUserDialog } from './user-dialogs.tsx'

export default function UsersTab() {
  const [query] = useSearchParams()
  const id = query.get('user')
  return id ? <MemberPage key={id} id={id} /> : <UserList />
}

type Open = { dialog: 'gift' | 'edit' | 'delete'; user: AdminUser }

function UserList() {
  const paging = usePaging()
  const { search, params, setSearch } = paging
  const users = useQuery(insightsApi.listUsers.pageOptions({ query: params }))
  const [open, setOpen] = useState<Open>()
  const [adding, setAdding] = useState(false)
  const navigate = useNavigate()
  const close = () => setOpen(undefined)
  return (
    <>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-3">
        <SearchBox label="Search users" search={search} onSearch={setSearch} />
        <div className="flex flex-wrap items-center gap-x-5 gap-y-2 max-sm:grid max-sm:w-full max-sm:grid-cols-2 max-sm:gap-x-2">
          {users.data && (
            <p aria-live="polite" className="text-[0.9375rem] text-ink-mute max-sm:order-last max-sm:col-span-2">
              {users.data.total} {users.data.total === 1 ? 'user' : 'users'}
            </p>
          )}
          <ButtonLink variant="secondary" small to={writeTo('members')}>
            Message members
          </ButtonLink>
          <ButtonLink variant="secondary" small to="/admin?view=import">
            Import
          </ButtonLink>
          <Button small className="max-sm:order-first max-sm:col-span-2" onClick={() => setAdding(true)}>
            <Icon of={userPlus} aria-hidden strokeWidth={1.5} /> Add member
          </Button>
        </div>
      </div>
      <PagedView
        query={users}
        failed="The users could not be loaded."
        paging={paging}
        empty="No users yet"
        noMatches={search && `Nobody is called “${search}”.`}
      >
        {(rows) => <UserRows users={rows} onOpen={setOpen} />}
      </PagedView>
      {adding && (
        <AddMemberDialog
          begun={users.data?.total === 0 ? search : ''}
          onAdded={({ id }) => navigate(`/admin?tab=Users&user=${id}`)}
          onTaken={(email) => {
            setAdding(false)
            setSearch(email)
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {open?.dialog === 'gift' && <GiftCreditsDialog user={open.user} onClose={close} />}
      {open?.dialog === 'edit' && <EditUserDialog user={open.user} onClose={close} />}
      {open?.dialog === 'delete' && <DeleteUserDialog user={open.user} onClose={close} />}
    </>
  )
}

function UserRows({ users, onOpen }: { users: AdminUser[]; onOpen: (open: Open) => void }) {
  const { user: me } = useSession()
  return (
    <Rows
      label="Users"
      rows={users}
      keyOf={(user) => user.id}
      columns={[
        {
          head: 'Name',
          cell: (user) => (
            <span className="inline-flex flex-wrap items-center gap-2">
              <Link to={`/admin?tab=Users&user=${user.id}`} className="link inline-flex min-h-8 items-center">
                {nameOf(user)}
              </Link>
              {user.isAdmin && <Badge tone="info">Admin</Badge>}
              <InvitedBadge user={user} />
              {user.id === me?.id && (
                <span id="not-yourself" className="text-[0.875rem] whitespace-nowrap text-ink-mute">
                  This is you
                </span>
              )}
            </span>
          ),
        },
        {
          head: 'Email, username',
          words: true,
          cell: (user) => (
            <>
              <Breakable text={user.email} />
              <span className="block text-[0.875rem] text-ink-mute">
                <Breakable text={`@${user.username}`} />
              </span>
            </>
          ),
        },
        {
          head: 'Joined',
          cell: (user) => <span className="whitespace-nowrap">{formatInstantDate(user.createdAt)}</span>,
        },
        { head: 'Bookings', cell: (user) => user.bookingsCount, numeric: true },
        { head: 'Credits remaining', cell: (user) => user.totalCredits, numeric: true },
      ]}
      actions={(user) => <UserActions user={user} isMe={user.id === me?.id} onOpen={onOpen} />}
    />
  )
}

/** A user's actions. Admins cannot delete themselves; the note next to the name says why. */
function UserActions({ user, isMe, onOpen }: { user: AdminUser; isMe: boolean; onOpen: (open: Open) => void }) {
  const of = `for ${nameOf(user)}`
  return (
    <>
      <Button
        variant="secondary"
        small
        aria-label={`Gift Credits ${of}`}
        onClick={() => onOpen({ dialog: 'gift', user })}
      >
        Gift Credits
      </Button>
      <Button
        variant="secondary"
        small
        aria-label={`Edit ${nameOf(user)}`}
        onClick={() => onOpen({ dialog: 'edit', user })}
      >
        Edit
      </Button>
      <Button
        variant="secondary"
        small
        className="not-disabled:border-err/40 not-disabled:text-err"
        disabled={isMe}
        aria-label={`Delete ${nameOf(user)}`}
        aria-describedby={isMe ? 'not-yourself' : undefined}
        onClick={() => onOpen({ dialog: 'delete', user })}
      >
        Delete
      </Button>
    </>
  )
}

/** A user's full name. */
function nameOf({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return `${firstName} ${lastName}`.trim()
}
