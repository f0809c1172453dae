import arrowLeft from '@lucide/icons/icons/arrow-left'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { fullName, mayBeInvited } from '#accounts/rules.ts'
import { accountsApi } from '#accounts/web/api.ts'
import { useSession } from '#accounts/web/session.ts'
import { staffBookingApi } from '#booking/web/staff-api.ts'
import { formatInstantDate } from '#foundation/instants.ts'
import type { AdminUser, MemberPage as Page } from '#insights/contract.ts'
import { insightsApi } from '#insights/web/api.ts'
import { History } from '#insights/web/history.tsx'
import { ASK_FOR_REVIEW, askForReviewOf, writeTo } from '#mailings/web/messages.ts'
import { activePasses } from '#passes/web/passes.ts'
import { privacyApi } from '#privacy/web/api.ts'
import { studio } from '#studio.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, LineLink } from '#ui/button.tsx'
import { Disclosure } from '#ui/disclosure.tsx'
import { Figures } from '#ui/figures.tsx'
import { Icon } from '#ui/icon.tsx'
import { late } from '#ui/late.tsx'
import { More } from '#ui/more.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { RowButton } from '#ui/rows.tsx'
import { Section } from '#ui/section.tsx'
import { type OpenDialog, useDialog } from '#ui/use-dialog.ts'
import { useNow } from '#ui/use-now.ts'
import { useAdminMutation } from '../admin-mutation.ts'
import { BookForDialog } from '../bookings/book-for-member.tsx'
import { Refused } from '../dialog-form.tsx'
import { MemberHealthDialog } from '../health/member-health.tsx'
import { saveFile } from '../save-file.ts'
import { GiftCreditsDialog, RecordSaleDialog } from './credit-dialogs.tsx'
import { MemberComplaints } from './data-complaints.tsx'
import { DeleteUserDialog } from './delete-user-dialog.tsx'
import { Breakable, InvitedBadge, PhoneLink, RECORD_SALE } from './member-details.tsx'
import { MemberNotes } from './member-notes.tsx'
import { MemberBookings, MemberLedger, MemberPasses, MemberPurchases } from './member-records.tsx'
import { MemberRegular } from './member-regular.tsx'
import { SELL_VOUCHER, SellVoucherDialog } from './sell-voucher.tsx'
import { BlockDialog, EditUserDialog } from './user-dialogs.tsx'

const [PaperHealthForm] = late(() => import('./paper-health-form.tsx'))
const [RecordComplaint] = late(() => import('./record-complaint.tsx'))

const USERS = '/admin?tab=Users'

export function MemberPage({ id }: { id: string }) {
  return (
    <>
      <LineLink to={USERS} className="mb-1 sm:mb-4 gap-2">
        <Icon of={arrowLeft} size={18} /> All members
      </LineLink>
      <QueryView
        query={useQuery(insightsApi.getMemberPage.queryOptions({ params: { id } }))}
        failed="This member could not be loaded."
      >
        {(page) => <Shown page={page} />}
      </QueryView>
    </>
  )
}

function Shown({ page }: { page: Page }) {
  const { user, mailRefused, blocked, passes, bookings, ledger, notes } = page
  const { dialog, open } = useDialog()
  const ifBlocked = blocked ? { disabled: true, 'aria-describedby': BLOCKED } : {}
  const active = activePasses(passes, useNow().epochMilliseconds)
  const [note] = notes
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-3">
        <div className="min-w-0">
          <h2 className="display-3 wrap-anywhere">{fullName(user)}</h2>
          <p className="mt-1 text-small wrap-anywhere text-ink-soft">
            {user.email === null ? (
              'No email address'
            ) : (
              <>
                <Breakable text={user.email} /> <span className="max-sm:hidden">·</span>{' '}
                <span className="max-sm:block">
                  <Breakable text={`@${user.username}`} />
                </span>
              </>
            )}{' '}
            <span className={user.email === null ? '' : 'max-sm:hidden'}>·</span> joined{' '}
            {formatInstantDate(user.createdAt)}
          </p>
          <PhoneLink phone={user.phone} name={user.firstName} />
          <div className="mt-2 flex flex-wrap gap-2 empty:hidden">
            {user.role !== 'member' && <Badge tone="info">{user.role === 'admin' ? 'Admin' : 'Teacher'}</Badge>}
            <InvitedBadge user={user} />
            {user.email !== null && !mayBeInvited(user) && !user.emailVerified && (
              <Badge tone="warn">Email not verified</Badge>
            )}
            {blocked && <Badge tone="err">Blocked</Badge>}
            {mailRefused && <Badge tone="warn">Email address refused</Badge>}
          </div>
          <Invitation user={user} />
          {blocked && (
            <Reason id={BLOCKED}>
              Cannot book or buy since {formatInstantDate(blocked.since)}: “{blocked.reason}”.
            </Reason>
          )}
          {mailRefused && (
            <Reason>
              Emails to this address have been refused since {formatInstantDate(mailRefused.since)}: “
              {mailRefused.reason}”.
            </Reason>
          )}
        </div>
        <div className="flex flex-wrap items-center gap-2 max-sm:w-full max-sm:[&>.btn]:flex-1">
          <Button small {...ifBlocked} onClick={() => open(BookForDialog, { user, lacksHealth: !user.healthComplete })}>
            Book a class
          </Button>
          <RowButton label={RECORD_SALE} {...ifBlocked} onClick={() => open(RecordSaleDialog, { user })} />
          <MemberMenu page={page} open={open} />
        </div>
      </div>
      <div className="mt-4 sm:mt-8">
        <Figures
          figures={[
            ['Credits remaining', user.totalCredits],
            ['Valid until', active[0] ? formatInstantDate(active[0].expiresAt) : 'No pass'],
            ['Health form', <MemberHealth key="health" user={user} open={open} />],
            ['Bookings', user.bookingsCount],
          ]}
        />
        {note && (
          <p className="my-3 line-clamp-3 text-small wrap-anywhere text-ink-soft">
            <span className="text-ink-mute">Note of {formatInstantDate(note.writtenAt)}:</span> {note.text}
          </p>
        )}
        <Folded title="Notes" count={notes.length} className="border-t-0">
          <MemberNotes userId={user.id} notes={notes} />
        </Folded>
      </div>
      <div className="mt-6 grid gap-x-16 gap-y-6 sm:mt-12 sm:gap-y-8 lg:grid-cols-[3fr_2fr]">
        <div className="grid min-w-0 content-start gap-6 sm:gap-8">
          <Part title="Bookings">
            <MemberBookings bookings={bookings} />
          </Part>
        </div>
        <div className="grid min-w-0 content-start gap-6 sm:gap-8">
          <Part title="Passes">
            <MemberPasses passes={passes} user={user} />
          </Part>
          <Part title="Regular bookings">
            <MemberRegular user={user} bookings={bookings} ifBlocked={ifBlocked} />
          </Part>
          <MemberComplaints userId={user.id} />
        </div>
      </div>
      <div className="mt-8">
        <div className="mb-6">
          <Part title="Credit ledger">
            <MemberLedger lines={ledger} />
          </Part>
        </div>
        <Folded title="Purchases">
          <MemberPurchases userId={user.id} />
        </Folded>
        <History subject={`user:${user.id}`} className="" />
      </div>
      {dialog}
    </>
  )
}

/** Why something in the menu cannot be done. */
function noteOf({ blocked }: Page, isMe: boolean): string | undefined {
  if (isMe) return 'This is you.'
  return blocked ? 'Blocked: cannot book or buy.' : undefined
}

/** What the owner does with a member now and then. */
function MemberMenu({ page, open }: { page: Page; open: OpenDialog }) {
  const { user, blocked } = page
  const { user: me } = useSession()
  const navigate = useNavigate()
  const unblock = useAdminMutation({
    mutationFn: () => staffBookingApi.unblockMember.call({ params: { id: user.id } }),
    toasts: { success: `${fullName(user)} can book again`, failure: 'Failed to unblock' },
  })
  const download = useAdminMutation({
    mutationFn: () => privacyApi.exportMemberData.call({ params: { id: user.id } }),
    toasts: { success: 'Data downloaded', failure: 'The data could not be downloaded' },
    onSuccess: (data) =>
      saveFile(new Blob([JSON.stringify(data)], { type: 'application/json' }), `member-${user.id}.json`),
  })
  const isMe = me?.id === user.id
  const isMember = user.role === 'member'
  const onDeleted = () => navigate(USERS, { replace: true })
  return (
    <More
      of={fullName(user)}
      note={noteOf(page, isMe)}
      busy={download.isPending}
      items={[
        user.email === null
          ? { label: 'Health form', onSelect: () => open(PaperHealthForm, { user }) }
          : { label: 'Message', to: writeTo({ userIds: [user.id] }) },
        { label: 'Gift Credits', onSelect: () => open(GiftCreditsDialog, { user }) },
        { label: 'Edit', onSelect: () => open(EditUserDialog, { user, isBlocked: blocked !== null }) },
        { label: SELL_VOUCHER, disabled: blocked !== null, onSelect: () => open(SellVoucherDialog, { user }) },
        user.email !== null && isMember && { label: ASK_FOR_REVIEW, to: askForReviewOf({ userIds: [user.id] }) },
        { label: 'Record complaint', onSelect: () => open(RecordComplaint, { userId: user.id }) },
        { label: 'Download this member’s data', onSelect: download.mutate },
        {
          label: 'Security record',
          to: `/admin?view=security&search=${encodeURIComponent(user.email ?? fullName(user))}`,
        },
        isMember && blocked !== null && { label: 'Unblock', onSelect: unblock.mutate },
        isMember && blocked === null && { label: 'Block', onSelect: () => open(BlockDialog, { user }) },
        { label: 'Delete', danger: true, disabled: isMe, onSelect: () => open(DeleteUserDialog, { user, onDeleted }) },
      ]}
    />
  )
}

/** The id of the notice that a member is blocked. */
const BLOCKED = 'blocked'

const Reason = ({ id, children }: { id?: string; children: ReactNode }) => (
  <p id={id} className="mt-2 max-w-[70ch] text-small/normal wrap-anywhere text-ink-soft">
    {children}
  </p>
)

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Section title={title} level="h3" gap="mb-3">
      {children}
    </Section>
  )
}

type FoldedProps = { title: string; count?: number; className?: string; children: ReactNode }

function Folded({ title, count, className = 'pb-2', children }: FoldedProps) {
  return (
    <Disclosure label={count === undefined ? title : `${title} (${count})`} className={className}>
      <section aria-label={title} className="pt-2 pb-4">
        {children}
      </section>
    </Disclosure>
  )
}

function MemberHealth({ user, open }: { user: AdminUser; open: OpenDialog }) {
  if (!user.healthComplete) return 'Missing'
  return (
    <button
      type="button"
      className="link"
      onClick={() => open(MemberHealthDialog, { id: user.id, name: fullName(user) })}
    >
      Complete<span className="sr-only">, show it</span>
    </button>
  )
}

/** For members without a password: when they were invited, and a button that sends the invitation (again). */
function Invitation({ user }: { user: AdminUser }) {
  const invite = useAdminMutation({
    mutationFn: () => accountsApi.sendInvitation.call({ params: { id: user.id } }),
    toasts: { success: `Invitation sent to ${user.email}`, failure: 'Failed to send the invitation' },
  })
  if (!mayBeInvited(user) || user.email === null) return null
  const { invitedAt } = user
  return (
    <div className="mt-3 text-small/normal text-ink-soft">
      <p className="max-w-[60ch]">
        {invitedAt
          ? `Invited on ${formatInstantDate(invitedAt)}; they have not set a password yet. The link works for ${studio.policies.invitationDays} days.`
          : 'They have no password yet and have not been invited to set one.'}
      </p>
      <Button variant="secondary" small runs={invite} className="mt-2">
        {invitedAt ? 'Send invitation again' : 'Send invitation'}
      </Button>
      <Refused refusal={invite.refusal} />
    </div>
  )
}
