import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '#foundation/call.ts'
import { Button } from '#ui/button.tsx'
import { Spinner } from '#ui/spinner.tsx'
import type { CurrentUser } from '../../contract.ts'
import { ProveForm } from '../step-up/prove-form.tsx'
import { signInApi } from './api.ts'

export default function SecondStep({
  onSignedIn,
  onAgain,
}: {
  onSignedIn: (user: CurrentUser) => void
  onAgain: () => void
}) {
  const ways = useQuery({
    ...signInApi.beginSecondStep.queryOptions(),
    gcTime: 0,
  })
  return (
    <div className="grid gap-5">
      {ways.isPending && <Spinner label="Loading..." />}
      {ways.error && <p role="alert">{errorMessage(ways.error, 'This could not be loaded. Please log in again.')}</p>}
      {ways.data && (
        <ProveForm
          ways={ways.data}
          submit="Continue"
          send={async ({ code, passkey }) =>
            onSignedIn(await signInApi.completeSecondStep.call({ body: { code, passkey } }))
          }
          onRefused={() => void ways.refetch()}
        />
      )}
      <Button variant="quiet" onClick={onAgain}>
        Back to Login
      </Button>
    </div>
  )
}
