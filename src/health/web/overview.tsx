import circleAlert from '@lucide/icons/icons/circle-alert'
import heartPulse from '@lucide/icons/icons/heart-pulse'
import phone from '@lucide/icons/icons/phone'
import shieldCheck from '@lucide/icons/icons/shield-check'
import type { ReactNode } from 'react'
import { EmailLink, PhoneLink, useFacts } from '#content/web/facts.tsx'
import { formatDate } from '#foundation/dates.ts'
import { studioDate } from '#foundation/instants.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Icon, type IconData } from '#ui/icon.tsx'
import { ArchTick } from '#ui/mark.tsx'
import type { EmergencyContact, Questionnaire } from '../contract.ts'
import { UNREADABLE } from '../rules.ts'

type Known = { questionnaire?: Questionnaire; contact?: EmergencyContact }

export function HealthOverview({
  questionnaire,
  contact,
  isUnreadable,
  next,
  onOpen,
}: Known & {
  isUnreadable: boolean
  next: { to: string; label: string }
  onOpen: () => void
}) {
  const { address } = useFacts()
  const complete = Boolean(questionnaire && contact)
  const changed = lastUpdated({ questionnaire, contact })
  return (
    <>
      <section className="card p-6 sm:p-8">
        <div className="flex flex-wrap items-center justify-between gap-4">
          <h2 className="flex items-center gap-3 text-body font-medium">
            {complete ? (
              <ArchTick size={32} className="text-ok" />
            ) : (
              <Icon of={circleAlert} size={24} className="text-warn" />
            )}
            Your answers
          </h2>
          <Badge tone={complete ? 'ok' : 'warn'}>{complete ? 'Complete' : 'Incomplete'}</Badge>
        </div>
        <dl className="mt-6 grid gap-x-8 gap-y-4 border-t border-line pt-6 sm:grid-cols-2">
          <Fact term="Last updated">{changed ? formatDate(changed) : 'Not yet'}</Fact>
          <Fact term="Emergency contact">{contact?.name ?? 'Not yet given'}</Fact>
        </dl>
        {isUnreadable && (
          <p role="alert" className="mt-6 rounded-row bg-warn-tint p-4 text-small/even text-warn">
            {UNREADABLE}. Please fill it in again, or get in touch with us.
          </p>
        )}
        {!complete && (
          <p className="mt-6 text-ink-soft">
            To book a class you need a completed health questionnaire and an emergency contact. It takes about three
            minutes.
          </p>
        )}
        <div className="mt-7 flex flex-wrap gap-3 max-sm:flex-col">
          {complete && <ButtonLink to={next.to}>{next.label}</ButtonLink>}
          <Button variant={complete ? 'secondary' : 'primary'} onClick={onOpen}>
            {complete ? 'Update Information' : 'Complete Questionnaire'}
          </Button>
          <ButtonLink to="/" variant="secondary">
            Back to Home
          </ButtonLink>
        </div>
      </section>
      <div className="mt-12 grid gap-10 md:grid-cols-3">
        <Card icon={heartPulse} title="Why we ask">
          Your answers tell us what to look after before you step on the reformer.
        </Card>
        <Card icon={shieldCheck} title="Who can read it">
          Only the people who run the studio. Your answers are stored encrypted and never sent by email.
        </Card>
        <Card icon={phone} title="Need help?">
          <PhoneLink className="link inline-flex min-h-8 items-center" />
          <br />
          <EmailLink className="link inline-flex min-h-8 items-center wrap-anywhere" />
          <br />
          {address.street}, {address.town} <span className="whitespace-nowrap">{address.postcode}</span>
        </Card>
      </div>
    </>
  )
}

/** The date on which either half was last saved. */
function lastUpdated({ questionnaire, contact }: Known): string | undefined {
  const last = [questionnaire?.updatedAt, contact?.updatedAt]
    .filter((at) => at !== undefined)
    .sort()
    .at(-1)
  return last && studioDate(Temporal.Instant.from(last)).toString()
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-caption text-ink-mute">{term}</dt>
      <dd className="wrap-break-word">{children}</dd>
    </div>
  )
}

function Card({ icon, title, children }: { icon: IconData; title: string; children: ReactNode }) {
  return (
    <section className="border-t border-line pt-6">
      <Icon of={icon} size={24} className="text-sage" />
      <h2 className="mt-3 font-medium">{title}</h2>
      <div className="mt-1 text-base/[1.6] wrap-break-word text-ink-soft">{children}</div>
    </section>
  )
}
