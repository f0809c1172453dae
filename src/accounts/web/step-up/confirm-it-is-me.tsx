import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { errorMessage } from '#foundation/call.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { accountsApi } from '../api.ts'
import { type Proof, ProveForm } from './prove-form.tsx'

/** Fetched every time, because a challenge can be answered once. */
export const waysToConfirm = {
  ...accountsApi.beginStepUp.queryOptions(),
  gcTime: 0,
}

export const confirmWith = (body: Proof) => accountsApi.completeStepUp.call({ body })

export default function ConfirmItIsMe({ onDone }: { onDone: (hasProved: boolean) => void }) {
  const ways = useQuery(waysToConfirm)
  const form = useRef<HTMLDivElement>(null)
  const isAsked = ways.isSuccess
  // The dialog took the focus before there was a field.
  useEffect(() => {
    if (isAsked) form.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
  }, [isAsked])
  return (
    <Dialog
      over
      onClose={() => onDone(false)}
      title="Is it you?"
      description="This affects personal data, access rights or how you sign in, so we need to check. You can carry on afterwards."
    >
      <div ref={form} className="mt-6 grid gap-3">
        {ways.isPending && <Spinner label="Loading..." />}
        {ways.error && <p role="alert">{errorMessage(ways.error, 'This could not be loaded. Please try again.')}</p>}
        {ways.data && (
          <ProveForm
            ways={ways.data}
            submit="Confirm"
            send={async (proof) => {
              await confirmWith(proof)
              onDone(true)
            }}
            onRefused={() => void ways.refetch()}
          />
        )}
        <Button variant="quiet" onClick={() => onDone(false)}>
          Cancel
        </Button>
      </div>
    </Dialog>
  )
}
