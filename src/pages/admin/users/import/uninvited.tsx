import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accountsApi } from '#accounts/web/api.ts'
import { newKey } from '#foundation/lost-answers.ts'
import { memberQueries } from '#insights/web/api.ts'
import { Button } from '#ui/button.tsx'
import { useAdminMutation } from '../../admin-mutation.ts'
import { Refused } from '../../dialog-form.tsx'

/** Members who were brought over and not invited yet, and the button that invites them all. */
export function Uninvited() {
  const [key, setKey] = useState(newKey)
  const uninvited = useQuery(accountsApi.countUninvited.queryOptions())
  const send = () => accountsApi.sendInvitations.call({ key })
  const invite = useAdminMutation({
    mutationFn: send,
    lookAgain: send,
    says: { success: ({ sent }) => `${sent} invitations are on their way`, failure: 'Failed to send the invitations' },
    stale: [accountsApi.countUninvited, ...memberQueries],
    onSuccess: () => setKey(newKey()),
  })
  const waiting = uninvited.data?.waiting ?? 0
  if (waiting === 0) return null
  return (
    <section aria-label="Invitations" className="mt-12 border-t border-line pt-6">
      <h3 className="title mb-2">Invitations</h3>
      <p className="mb-4 max-w-[65ch] text-ink-soft">
        {waiting === 1 ? '1 member has' : `${waiting} members have`} no password and {waiting === 1 ? 'was' : 'were'}{' '}
        never invited to set one.
      </p>
      <Button variant="secondary" busy={invite.isPending} onClick={() => invite.mutate()}>
        Send {waiting} invitation{waiting === 1 ? '' : 's'}
      </Button>
      <Refused refusal={invite.refusal} />
    </section>
  )
}
