import arrowLeft from '@lucide/icons/icons/arrow-left'
import { useQuery } from '@tanstack/react-query'
import type { MouseEvent, ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import { fullName, mayBeInvited } from '#accounts/rules.ts'
import { accountsApi } from '#accounts/web/api.ts'
import { useSession } from '#accounts/web/session.ts'
import { formatInstantDate } from '#foundation/instants.ts'
import type { AdminUser, MemberPage as Page } from '#insights/contract.ts'
import { insightsApi, memberQueries } from '#insights/web/api.ts'
import { History } from '#insights/web/history.tsx'
import { ASK_FOR_REVIEW, askForReviewOf, writeTo } from '#mailings/web/messages.ts'
import { privacyApi } from '#privacy/web/api.ts'
import { studio } from '#studio.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, ButtonLink, buttonClass } from '#ui/button.tsx'
import { dialogButton } from '#ui/dialog-button.tsx'
import { Figures } from '#ui/figures.tsx'
import { Icon } from '#ui/icon.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { RowButton } from '#ui/rows.tsx'
import { Section } from '#ui/section.tsx'
import { useDialog } from '#ui/use-dialog.ts'
import { useAdminMutation } from '../admin-mutation.ts'
import { BookForDialog } from '../bookings/book-for-member.tsx'
import { Refused } from '../dialog-form.tsx'
import { saveFile } from '../save-file.ts'
import { GiftCreditsDialog, RECORD_SALE, RecordSaleDialog } from './credit-dialogs.tsx'
import { MemberDataComplaints } from './data-complaints.tsx'
import { DeleteUserDialog } from './delete-user-dialog.tsx'
import { Breakable, InvitedBadge, PhoneLink } from './member-details.tsx'
import { MemberComplaint, MemberNotes } from './member-notes.tsx'
import { MemberBookings, MemberLedger, MemberPasses, MemberPurchases } from './member-records.tsx'
import { MemberRegular } from './member-regular.tsx'
import { SELL_VOUCHER, SellVoucherDialog } from './sell-voucher.tsx'
import { BlockMember, EditUserDialog } from './user-dialogs.tsx'

const PaperHealthForm = dialogButton<{ user: AdminUser }>(
  () => import('./paper-health-form.tsx'),
  'Health form',
  buttonClass({ variant: 'secondary', small: true }),
)

const USERS = '/admin?tab=Users'

export function MemberPage({ id }: { id: string }) {
  return (
    <>
      <Link to={USERS} className="link mb-4 inline-flex min-h-11 items-center gap-2">
        <Icon of={arrowLeft} aria-hidden size={18} strokeWidth={1.5} /> All users
      </Link>
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
  const { user: me } = useSession()
  const navigate = useNavigate()
  const { dialog, open } = useDialog()
  const isMe = me?.id === user.id
  const ifBlocked = blocked ? { disabled: true, 'aria-describedby': BLOCKED } : {}
  const leave = () => navigate(USERS, { replace: true })
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-5">
        <div className="min-w-0">
          <h2 className="display-3 wrap-anywhere">{fullName(user)}</h2>
          <p className="mt-2 text-small wrap-anywhere text-ink-soft">
            {user.email === null ? (
              'No email address'
            ) : (
              <>
                <Breakable text={user.email} /> · <Breakable text={`@${user.username}`} />
              </>
            )}{' '}
            · joined {formatInstantDate(user.createdAt)}
          </p>
          <PhoneLink phone={user.phone} name={user.firstName} />
          <div className="mt-3 flex flex-wrap gap-2 empty:hidden">
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
        <div className="flex flex-wrap items-center gap-2 max-sm:grid max-sm:w-full max-sm:grid-cols-2">
          <Button small {...ifBlocked} onClick={() => open(BookForDialog, { user, lacksHealth: !user.healthComplete })}>
            Book a class
          </Button>
          <RowButton label={RECORD_SALE} {...ifBlocked} onClick={() => open(RecordSaleDialog, { user })} />
          <RowButton label={SELL_VOUCHER} {...ifBlocked} onClick={() => open(SellVoucherDialog, { user })} />
          <RowButton label="Gift Credits" onClick={() => open(GiftCreditsDialog, { user })} />
          {user.email === null ? (
            <PaperHealthForm user={user} />
          ) : (
            <ButtonLink variant="quiet" small to={writeTo({ userIds: [user.id] })}>
              Message
            </ButtonLink>
          )}
          {user.email !== null && user.role === 'member' && (
            <ButtonLink variant="quiet" small to={askForReviewOf({ userIds: [user.id] })}>
              {ASK_FOR_REVIEW}
            </ButtonLink>
          )}
          <RowButton label="Edit" onClick={() => open(EditUserDialog, { user, isBlocked: blocked !== null })} />
          <RowButton
            label="Delete"
            danger
            disabled={isMe}
            aria-describedby={isMe ? 'not-yourself' : undefined}
            onClick={() => open(DeleteUserDialog, { user, onDeleted: leave })}
          />
          {isMe && (
            <span id="not-yourself" className="text-caption whitespace-nowrap text-ink-mute">
              This is you
            </span>
          )}
        </div>
      </div>
      <div className="mt-8">
        <Figures
          figures={[
            ['Credits remaining', user.totalCredits],
            ['Bookings', user.bookingsCount],
          ]}
        />
      </div>
      <div className="mt-12 grid gap-x-16 gap-y-12 lg:grid-cols-[3fr_2fr]">
        <div className="grid min-w-0 content-start gap-12">
          <Part title="Bookings">
            <MemberBookings bookings={bookings} />
          </Part>
          <Part title="Purchases">
            <MemberPurchases userId={user.id} />
          </Part>
          <Part title="Credit ledger">
            <MemberLedger lines={ledger} />
          </Part>
        </div>
        <div className="grid min-w-0 content-start gap-12">
          <Part title="Passes">
            <MemberPasses passes={passes} user={user} />
          </Part>
          <Part title="Regular bookings">
            <MemberRegular user={user} bookings={bookings} ifBlocked={ifBlocked} />
          </Part>
          <Part title="Open complaint">
            <MemberComplaint userId={user.id} />
          </Part>
          <Part title="Data protection complaints">
            <MemberDataComplaints userId={user.id} />
          </Part>
          <Part title="Notes">
            <MemberNotes userId={user.id} notes={notes} />
          </Part>
        </div>
      </div>
      <div className="mt-12 border-t border-line pt-6">
        <div className="-ml-5 flex flex-wrap">
          <BlockMember user={user} blocked={blocked} />
          <DownloadData userId={user.id} />
          <ButtonLink
            variant="quiet"
            small
            to={`/admin?view=security&search=${encodeURIComponent(user.email ?? fullName(user))}`}
          >
            Security record
          </ButtonLink>
        </div>
      </div>
      <History subject={`user:${user.id}`} />
      {dialog}
    </>
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

/** For members without a password: when they were invited, and a button that sends the invitation (again). */
function Invitation({ user }: { user: AdminUser }) {
  const invite = useAdminMutation({
    mutationFn: (_, key) => accountsApi.sendInvitation.call({ params: { id: user.id }, key }),
    isRepeatable: true,
    toasts: { success: `Invitation sent to ${user.email}`, failure: 'Failed to send the invitation' },
    stale: memberQueries,
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
      <Button variant="secondary" small busy={invite.isPending} className="mt-2" onClick={() => invite.mutate()}>
        {invitedAt ? 'Send invitation again' : 'Send invitation'}
      </Button>
      <Refused refusal={invite.refusal} />
    </div>
  )
}

/** A member's data as a file. Fetched by script, so that the download continues after a password prompt. */
function DownloadData({ userId }: { userId: string }) {
  const read = useAdminMutation({
    mutationFn: () => privacyApi.exportMemberData.call({ params: { id: userId } }),
    toasts: { success: 'Data downloaded', failure: 'The data could not be downloaded' },
    stale: [],
    onSuccess: (data) =>
      saveFile(new Blob([JSON.stringify(data)], { type: 'application/json' }), `member-${userId}.json`),
  })
  const start = (event: MouseEvent) => {
    event.preventDefault()
    read.mutate()
  }
  return (
    <a
      href={`/api/admin/users/${userId}/export`}
      download
      aria-busy={read.isPending || undefined}
      onClick={start}
      className={buttonClass({ variant: 'quiet', small: true })}
    >
      Download this member’s data
    </a>
  )
}
