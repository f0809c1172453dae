import download from '@lucide/icons/icons/download'
import { type ComponentType, lazy, Suspense, useState } from 'react'
import { Button, buttonClass } from '#ui/button.tsx'
import { Disclosure } from '#ui/disclosure.tsx'
import { Icon } from '#ui/icon.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { DeleteAccount } from './delete-account.tsx'

/** Opened by whoever wants to know; neither their code nor their data comes before. */
const ROOMS: readonly (readonly [label: string, room: ComponentType])[] = [
  ['Who read your health information', lazy(() => import('./who-read.tsx'))],
  ['What we keep, and until when', lazy(() => import('./kept-until.tsx'))],
  ['What you agreed to', lazy(() => import('./consents.tsx'))],
  ['Make a complaint about your data', lazy(() => import('./complain.tsx'))],
]

/** A member's rights over their data: to see what happens to it, a copy of all of it, and its end. */
export function YourData() {
  const [asking, setAsking] = useState(false)
  return (
    <section aria-labelledby="your-data" className="mt-14 border-t border-line pt-6">
      <h2 id="your-data" className="font-medium">
        Your data
      </h2>
      <p className="mt-1 max-w-[60ch] text-base/[1.6] text-ink-soft">
        Download everything we keep about you as one file, or delete your account with all of it.
      </p>
      <div className="mt-4 flex flex-wrap gap-3">
        <a href="/api/user/export" download className={buttonClass({ variant: 'secondary', small: true })}>
          <Icon of={download} aria-hidden strokeWidth={1.5} /> Download my data
        </a>
        <Button variant="quiet" small className="max-sm:-ml-3 max-sm:px-3" onClick={() => setAsking(true)}>
          Delete my account
        </Button>
      </div>
      <div className="mt-6">
        {ROOMS.map(([label, Room]) => (
          <Disclosure key={label} label={label} className="pb-2">
            <Suspense fallback={<Spinner label="Loading..." visible />}>
              <div className="max-w-[70ch] pt-1 pb-4 text-[0.9375rem]/[1.55]">
                <Room />
              </div>
            </Suspense>
          </Disclosure>
        ))}
      </div>
      {asking && <DeleteAccount onClose={() => setAsking(false)} />}
    </section>
  )
}
