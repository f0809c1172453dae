import userPlus from '@lucide/icons/icons/user-plus'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearchParams } from 'react-router'
import { fullName } from '#accounts/rules.ts'
import { useSession } from '#accounts/web/session.ts'
import { callFile } from '#foundation/call.ts'
import { many } from '#foundation/collections.ts'
import { formatInstantDate } from '#foundation/instants.ts'
import type { AdminUser } from '#insights/contract.ts'
import { insightsApi } from '#insights/web/api.ts'
import { writeTo } from '#mailings/web/messages.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { late } from '#ui/late.tsx'
import { More } from '#ui/more.tsx'
import { PagedView, SearchBox, usePaging } from '#ui/pager.tsx'
import { RowButton, Rows } from '#ui/rows.tsx'
import { useSetSearchParam } from '#ui/search-params.ts'
import { type OpenDialog, useDialog } from '#ui/use-dialog.ts'
import { useAdminMutation } from '../admin-mutation.ts'
import { saveFile } from '../save-file.ts'
import { AddMemberDialog } from './add-member-dialog.tsx'
import { GiftCreditsDialog, RecordSaleDialog } from './credit-dialogs.tsx'
import { DeleteUserDialog } from './delete-user-dialog.tsx'
import { Breakable, InvitedBadge, MemberLink, RECORD_SALE } from './member-details.tsx'
import { MemberPage } from './member-page.tsx'
import { SELL_VOUCHER, SellVoucherDialog } from './sell-voucher.tsx'
import { EditUserDialog } from './user-dialogs.tsx'

const [OutsideComplaints] = late(() => import('./outside-complaints.tsx'))

export default function UsersTab() {
  const [query] = useSearchParams()
  const id = query.get('user')
  return id ? <MemberPage key={id} id={id} /> : <UserList />
}

function UserList() {
  const paging = usePaging()
  const { search, params, setSearch } = paging
  const users = useQuery(insightsApi.listUsers.pageOptions({ query: params }))
  const { dialog, open, close } = useDialog()
  const navigate = useNavigate()
  const [address] = useSearchParams()
  const setInAddress = useSetSearchParam()
  // Fetched by script, so that the download continues after a password prompt.
  const download = useAdminMutation({
    mutationFn: () => callFile('/api/admin/members.csv'),
    toasts: { success: 'Members downloaded', failure: 'The members could not be downloaded' },
    onSuccess: (content) => saveFile(content, 'members.csv'),
  })
  const add = () =>
    open(AddMemberDialog, {
      search: users.data?.total === 0 ? search : '',
      onAdded: ({ id }) => navigate(`/admin?tab=Users&user=${id}`),
      onTaken: (email) => {
        close()
        setSearch(email)
      },
    })
  return (
    <>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-3">
        <SearchBox label="Search members" search={search} onSearch={setSearch} />
        <div className="flex flex-wrap items-center gap-x-3 max-sm:w-full">
          {users.data && (
            <p aria-live="polite" className="text-small text-ink-mute max-sm:flex-1">
              {many(users.data.total, 'member')}
            </p>
          )}
          <Button small onClick={add}>
            <Icon of={userPlus} /> Add member
          </Button>
          <More
            of="members"
            busy={download.isPending}
            items={[
              { label: 'Message members', to: writeTo('members') },
              { label: 'Import', to: '/admin?view=import' },
              { label: 'Download members', onSelect: download.mutate },
              { label: 'Complaints', onSelect: () => setInAddress('complaints', 'open') },
            ]}
          />
        </div>
      </div>
      <PagedView
        query={users}
        failed="The members could not be loaded."
        paging={paging}
        empty="No members yet"
        noMatches={search && `No members match “${search}”.`}
      >
        {(rows) => <UserRows users={rows} open={open} />}
      </PagedView>
      {dialog}
      {address.has('complaints') && <OutsideComplaints onClose={() => setInAddress('complaints', undefined)} />}
    </>
  )
}

function UserRows({ users, open }: { users: AdminUser[]; open: OpenDialog }) {
  const { user: me } = useSession()
  const names = users.map(fullName)
  /** What tells members with the same name apart. */
  const apart = (user: AdminUser) =>
    names.filter((name) => name === fullName(user)).length > 1 ? `, ${user.email ?? user.phone}` : ''
  return (
    <Rows
      label="Members"
      rows={users}
      keyOf={(user) => user.id}
      columns={[
        {
          head: 'Name',
          cell: (user) => (
            <span className="inline-flex flex-wrap items-center gap-2">
              <MemberLink id={user.id}>
                {fullName(user)}
                <span className="sr-only">{apart(user)}</span>
              </MemberLink>
              {user.role !== 'member' && <Badge tone="info">{user.role === 'admin' ? 'Admin' : 'Teacher'}</Badge>}
              <InvitedBadge user={user} />
              {user.id === me?.id && (
                <span id="not-yourself" className="text-caption whitespace-nowrap text-ink-mute">
                  This is you
                </span>
              )}
            </span>
          ),
        },
        {
          head: 'Email, username',
          words: true,
          cell: (user) =>
            user.email === null ? (
              <span className="text-ink-mute">No email, {user.phone}</span>
            ) : (
              <>
                <Breakable text={user.email} />{' '}
                <span className="block text-caption text-ink-mute">
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
        { head: 'Credits remaining', cell: (user) => user.totalCredits, numeric: true, aside: true },
      ]}
      menu={(user) => (
        <More
          of={fullName(user) + apart(user)}
          items={[
            { label: RECORD_SALE, onSelect: () => open(RecordSaleDialog, { user }) },
            { label: SELL_VOUCHER, onSelect: () => open(SellVoucherDialog, { user }) },
            user.email !== null && { label: 'Message', to: writeTo({ userIds: [user.id] }) },
          ]}
        />
      )}
      actions={(user) => (
        <UserActions user={user} name={fullName(user) + apart(user)} isMe={user.id === me?.id} open={open} />
      )}
    />
  )
}

/** A user's actions. Admins cannot delete themselves; the note next to the name explains why. */
function UserActions(props: { user: AdminUser; name: string; isMe: boolean; open: OpenDialog }) {
  const { user, name, isMe, open } = props
  return (
    <>
      <RowButton
        label="Gift Credits"
        name={`Gift Credits for ${name}`}
        onClick={() => open(GiftCreditsDialog, { user })}
      />
      <RowButton label="Edit" name={`Edit ${name}`} onClick={() => open(EditUserDialog, { user })} />
      <RowButton
        label="Delete"
        name={`Delete ${name}`}
        danger
        disabled={isMe}
        aria-describedby={isMe ? 'not-yourself' : undefined}
        onClick={() => open(DeleteUserDialog, { user })}
      />
    </>
  )
}
