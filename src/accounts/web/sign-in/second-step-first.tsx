import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Button } from '#ui/button.tsx'
import type { CurrentUser } from '../../contract.ts'
import { accountsApi } from '../api.ts'
import { confirmWith, waysToConfirm } from '../step-up/confirm-it-is-me.tsx'
import { ProveForm } from '../step-up/prove-form.tsx'
import { AddApp, RecoveryCodes } from '../your-sign-in/add-app.tsx'
import { useAddPasskey } from '../your-sign-in/factors.ts'
import { useSwitchUser } from './sign-in.ts'

/** Shown before the admin pages: the second step, or its setup. */
export default function SecondStepFirst({ user }: { user: CurrentUser }) {
  return (
    <div data-toasts-above className="workroom mx-auto max-w-[560px]">
      {user.secondStep === 'take' ? <TakeSecondStep /> : <SetUpSecondStep />}
    </div>
  )
}

const heading = 'font-serif text-[2.25rem]/[1.05] tracking-[-0.01em]'

function TakeSecondStep() {
  const switchUser = useSwitchUser()
  const ways = useQuery(waysToConfirm)
  return (
    <>
      <h1 className={heading}>One more step</h1>
      <p className="mt-3 mb-6 text-ink-soft">To run the studio, confirm that it is you.</p>
      <ProveForm ways={ways} submit="Continue" send={async (proof) => switchUser(await confirmWith(proof))} />
    </>
  )
}

function FirstCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <>
      <h1 ref={title} tabIndex={-1} className={`${heading} outline-none`}>
        Your recovery codes
      </h1>
      <div className="mt-4">
        <RecoveryCodes codes={codes} />
      </div>
      <Button onClick={onKept} className="mt-6 w-full">
        I have saved them
      </Button>
    </>
  )
}

function SetUpSecondStep() {
  const switchUser = useSwitchUser()
  const { data: factors } = useQuery(accountsApi.getFactors.queryOptions())
  const [added, setAdded] = useState<{ user: CurrentUser; recoveryCodes: string[] | null }>()
  const [isApp, setApp] = useState(false)
  const passkey = useAddPasskey({ onAdded: setAdded })
  const hasPasskeys = factors === undefined || factors.passkeysAt === location.origin
  if (added) return <FirstCodes codes={added.recoveryCodes ?? []} onKept={() => switchUser(added.user)} />
  return (
    <>
      <h1 className={heading}>Set up a second step</h1>
      <p className="mt-3 text-ink-soft">
        These pages show other people’s health information and payments. A password alone is not enough, because it can
        be guessed or phished.
      </p>
      {isApp ? (
        <div className="mt-6">
          <AddApp onAdded={setAdded} onCancel={() => setApp(false)} />
        </div>
      ) : (
        <div className="mt-6 grid gap-3">
          {hasPasskeys && <Button runs={passkey}>Use a passkey</Button>}
          {hasPasskeys && (
            <p className="mb-2 text-small text-ink-mute">
              Your fingerprint, your face or your device’s code. The safest way, and the quickest.
            </p>
          )}
          <Button variant={hasPasskeys ? 'secondary' : 'primary'} onClick={() => setApp(true)}>
            Use an authenticator app
          </Button>
          <p className="text-small text-ink-mute">Six digits from an app on your phone, after your password.</p>
        </div>
      )}
    </>
  )
}
