import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
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
        <ProveForm
          ways={ways}
          submit="Confirm"
          send={async (proof) => {
            await confirmWith(proof)
            onDone(true)
          }}
        />
        <Button variant="quiet" onClick={() => onDone(false)}>
          Cancel
        </Button>
      </div>
    </Dialog>
  )
}
