import { useQuery } from '@tanstack/react-query'
import { Button } from '#ui/button.tsx'
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
      <ProveForm
        ways={ways}
        failed="This could not be loaded. Please log in again."
        submit="Continue"
        send={async ({ code, passkey }) =>
          onSignedIn(await signInApi.completeSecondStep.call({ body: { code, passkey } }))
        }
      />
      <Button variant="quiet" onClick={onAgain}>
        Back to Login
      </Button>
    </div>
  )
}
