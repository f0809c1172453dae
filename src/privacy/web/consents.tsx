import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { formatLongDate } from '#foundation/dates.ts'
import { today } from '#foundation/instants.ts'
import { Button } from '#ui/button.tsx'
import { QueryView } from '#ui/query-view.tsx'
import type { OwnConsents } from '../contract-own.ts'
import { privacyApi } from './api.ts'
import { WithdrawDialog } from './withdraw-dialog.tsx'

/** What the member agreed to, in the words of that day; and the way out. */
export default function Consents() {
  const consents = useQuery({ ...privacyApi.getConsents.queryOptions(), gcTime: 0 })
  return (
    <QueryView query={consents} failed="What you agreed to could not be loaded.">
      {(given) => <Shown given={given} />}
    </QueryView>
  )
}

function Shown({ given: { health, marketing, objectedAt, newsletterAt, withdrawnAt } }: { given: OwnConsents }) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      {health ? (
        <>
          <Given title="Health information" at={health.agreedAt}>
            {health.healthDisclaimer && <Said>{health.healthDisclaimer}</Said>}
            {health.dataConsent && <Said>{health.dataConsent}</Said>}
          </Given>
          <Button variant="secondary" small className="mt-2 mb-4" onClick={() => setAsking(true)}>
            Withdraw and erase my answers
          </Button>
        </>
      ) : (
        <p className="mb-3">
          {withdrawnAt
            ? `You withdrew your consent to health information on ${dayOf(withdrawnAt)}, and your answers were erased.`
            : 'We have no health information of yours.'}
        </p>
      )}
      {marketing ? (
        <Given title="News and offers" at={marketing.agreedAt}>
          {marketing.text && <Said>{marketing.text}</Said>}
        </Given>
      ) : (
        <p>
          {objectedAt
            ? `You said no to news and offers on ${dayOf(objectedAt)}.`
            : 'You have not asked for news and offers.'}
        </p>
      )}
      {newsletterAt && <p className="mt-3">You confirmed the newsletter on {dayOf(newsletterAt)}.</p>}
      {(marketing || newsletterAt) && (
        <p className="mt-1 text-ink-soft">Each of these emails carries a link that ends them.</p>
      )}
      {asking && <WithdrawDialog onClose={() => setAsking(false)} />}
    </>
  )
}

const dayOf = (at: string) => formatLongDate(today(Temporal.Instant.from(at)))

function Given({ title, at, children }: { title: string; at: string; children: ReactNode }) {
  return (
    <div>
      <p className="font-medium">{title}</p>
      <p className="text-ink-mute">You agreed on {dayOf(at)} to this:</p>
      {children}
    </div>
  )
}

const Said = ({ children }: { children: ReactNode }) => (
  <blockquote className="mt-2 border-l-2 border-line-strong pl-4 text-ink-soft">{children}</blockquote>
)
