import { useState } from 'react'
import { mayBeInvited } from '#accounts/rules.ts'
import { accountsApi } from '#accounts/web/api.ts'
import { formatInstantDate } from '#foundation/instants.ts'
import { newKey } from '#foundation/lost-answers.ts'
import type { AdminUser } from '#insights/contract.ts'
import { memberQueries } from '#insights/web/api.ts'
import { studio } from '#studio.ts'
import { Button } from '#ui/button.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { Refused } from '../dialog-form.tsx'

/** Whoever has no password yet: since when they are invited, and the way to mail the invitation (again). */
export function Invitation({ user }: { user: AdminUser }) {
  const [key, setKey] = useState(newKey)
  const send = () => accountsApi.sendInvitation.call({ params: { id: user.id }, key })
  const invite = useAdminMutation({
    mutationFn: send,
    lookAgain: send,
    says: { success: `Invitation sent to ${user.email}`, failure: 'Failed to send the invitation' },
    stale: memberQueries,
    onSuccess: () => setKey(newKey()),
  })
  if (!mayBeInvited(user)) return null
  const { invitedAt } = user
  return (
    <div className="mt-3 text-[0.9375rem]/[1.5] text-ink-soft">
      <p className="max-w-[60ch]">
        {invitedAt
          ? `Invited on ${formatInstantDate(invitedAt)}; they have not set a password yet. The link works for ${studio.policies.invitationDays} days.`
          : 'They have no password yet, and have not been invited to set one.'}
      </p>
      <Button variant="secondary" small busy={invite.isPending} className="mt-2" onClick={() => invite.mutate()}>
        {invitedAt ? 'Send invitation again' : 'Send invitation'}
      </Button>
      <Refused refusal={invite.refusal} />
    </div>
  )
}
