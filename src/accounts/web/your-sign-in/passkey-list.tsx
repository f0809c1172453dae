import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatInstantDate } from '#foundation/instants.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { QueryView } from '#ui/query-view.tsx'
import type { Passkey } from '../../contract-factors.ts'
import { accountsApi } from '../api.ts'
import { useRemovePasskey } from './factors.ts'

export const CHECK_TITLE = 'Are these passkeys yours?'
export const CHECK_TEXT =
  'Your new password is set. These passkeys still sign in without it. Remove any that you do not recognise.'

/** After a password change: the passkeys that still sign in, each with a button to remove it. */
export function PasskeyCheck() {
  const remove = useRemovePasskey({ onDone: () => {} })
  return (
    <QueryView query={useQuery(accountsApi.getFactors.queryOptions())} failed="Your passkeys could not be loaded.">
      {({ passkeys }) =>
        passkeys.length > 0 ? (
          <PasskeyList passkeys={passkeys}>
            {(passkey) => (
              <Button
                variant="secondary"
                small
                aria-label={`Remove ${passkey.label}`}
                busy={remove.isPending && remove.variables === passkey.id}
                onClick={() => remove.mutate(passkey.id)}
              >
                Remove
              </Button>
            )}
          </PasskeyList>
        ) : (
          <p className="mt-5">No passkeys are left.</p>
        )
      }
    </QueryView>
  )
}

/** `children`: the actions of a passkey. */
export function PasskeyList({
  passkeys,
  children,
}: {
  passkeys: readonly Passkey[]
  children: (passkey: Passkey) => ReactNode
}) {
  return (
    <ul className="mt-5 divide-y divide-line border-y border-line">
      {passkeys.map((passkey) => (
        <li key={passkey.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4">
          <div className="min-w-0">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-2 font-medium wrap-anywhere">
              {passkey.label}
              {passkey.isSynced && <Badge tone="sand">On all your devices</Badge>}
            </p>
            <p className="mt-1 text-small/even text-ink-mute">
              Added on {formatInstantDate(passkey.createdAt)} ·{' '}
              {passkey.lastUsedAt ? `last used on ${formatInstantDate(passkey.lastUsedAt)}` : 'not used yet'}
            </p>
          </div>
          <div className="flex flex-wrap gap-2">{children(passkey)}</div>
        </li>
      ))}
    </ul>
  )
}
