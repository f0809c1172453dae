import { useState } from 'react'
import { memberQueries } from '#insights/web/api.ts'
import type { Pass } from '#passes/contract.ts'
import { PassLine } from '#passes/web/pass-line.tsx'
import { nameOf, passesApi, passQueries } from '#passes/web/passes.ts'
import { paymentsApi } from '#payments/web/api.ts'
import { Button } from '#ui/button.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { ConfirmChange } from '../dialog-form.tsx'

/** A member's passes; what is left of one can be taken away. */
export function MemberPasses({ passes }: { passes: Pass[] }) {
  const [asked, setAsked] = useState<Pass>()
  if (passes.length === 0) return <p className="text-ink-mute">No passes yet</p>
  // The newest first: what is over stays below.
  const newest = [...passes].sort((a, b) => b.createdAt.localeCompare(a.createdAt) || b.id - a.id)
  return (
    <>
      <ul className="border-t border-line">
        {newest.map((pass) => (
          <li key={pass.id} className="border-b border-line pb-3">
            <PassLine pass={pass} />
            {pass.creditsRemaining > 0 && (
              <Button
                variant="quiet"
                small
                className="-ml-5"
                aria-label={`Delete pass ${nameOf(pass)}`}
                onClick={() => setAsked(pass)}
              >
                Delete pass
              </Button>
            )}
          </li>
        ))}
      </ul>
      {asked && <DeletePass pass={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

function DeletePass({ pass, onClose }: { pass: Pass; onClose: () => void }) {
  const remove = useAdminMutation({
    mutationFn: () => passesApi.deletePass.call({ params: { id: pass.id } }),
    says: { success: 'User pass deleted successfully', failure: 'Failed to delete user pass' },
    stale: [...memberQueries, ...passQueries, paymentsApi.listPurchases],
    onSuccess: onClose,
  })
  const credits = `${pass.creditsRemaining} ${pass.creditsRemaining === 1 ? 'credit' : 'credits'}`
  return (
    <ConfirmChange
      title="Delete pass?"
      text={`The ${credits} left on ${nameOf(pass)} will be taken away. Classes already booked with it stay booked; if one is cancelled, its credit does not come back. No money is refunded.`}
      confirm="Delete pass"
      mutation={remove}
      onClose={onClose}
    />
  )
}
