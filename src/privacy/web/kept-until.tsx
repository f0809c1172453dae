import { useQuery } from '@tanstack/react-query'
import { many } from '#foundation/collections.ts'
import { formatLongDate } from '#foundation/dates.ts'
import { studio } from '#studio.ts'
import { TextLink } from '#ui/button.tsx'
import { QueryView } from '#ui/query-view.tsx'
import type { KeptUntil, ReasonToKeep } from '../contract-own.ts'
import { privacyApi } from './api.ts'

const { retention, refundDays } = studio.policies
const { contactYears, healthMonths, financialYears, invitationMonths, recordMonths, backupNights, undeliveredDays } =
  retention

const SINCE: Record<KeptUntil['accountSince'], string> = {
  last_class: `${contactYears} years after your last class`,
  sign_up: `${contactYears} years after you signed up`,
  invitation: `${invitationMonths} months after our invitation`,
}

const REASONS: Record<ReasonToKeep, string> = {
  admin: 'you work with this site as an admin',
  teacher: 'you work with this site as a teacher',
  pass: 'you have a valid pass',
  booking: 'you have a class ahead, pay for one, or are invited to one',
  waiting: 'you wait for a class',
  voucher: 'a gift voucher from you or for you can still be used',
  payment: 'a payment or refund of yours is not settled',
  purchase: `you bought something in the last ${refundDays} days`,
  dispute: 'a bank has still to decide about a payment',
  complaint: 'a complaint of yours is still open',
}

/** How long data is kept: the dates on which the nightly job will erase it, if nothing else happens. */
export default function KeptUntilRoom() {
  const kept = useQuery({ ...privacyApi.getKeptUntil.queryOptions(), gcTime: 0 })
  return (
    <QueryView query={kept} failed="What we keep could not be loaded.">
      {(known) => <Shown kept={known} />}
    </QueryView>
  )
}

function Shown({ kept: { account, accountSince, health, keptBy, purchases } }: { kept: KeptUntil }) {
  const rows: [what: string, until: string, why: string][] = [
    [
      'Your account and bookings',
      account ? until(account) : 'While you are an admin',
      account ? SINCE[accountSince] : '',
    ],
    [
      'Your health information and emergency contact',
      health ? until(health) : 'Nothing is kept',
      health ? `${healthMonths} months after your last class or change, whichever is later` : '',
    ],
    [
      'Purchases and payments',
      purchases ? ofPurchases(purchases) : 'Nothing is kept',
      purchases ? `${financialYears} years, as tax law requires` : '',
    ],
    ['Records of who read or changed your data, of sign-ins and of group messages', `${recordMonths} months each`, ''],
    ['Emails to you that did not arrive', `${undeliveredDays} days`, ''],
    ['Backups', `${backupNights} nights`, 'Erased data disappears from them once the oldest backup is deleted'],
  ]
  return (
    <>
      <dl>
        {rows.map(([what, day, why]) => (
          <div key={what} className="border-t border-line py-2.5 first:border-t-0">
            <dt className="font-medium">{what}</dt>
            <dd>
              {day}
              {why && <span className="block text-ink-mute">{why}</span>}
            </dd>
          </div>
        ))}
      </dl>
      {keptBy.length > 0 && (
        <p className="mt-2">
          We keep your account and health information longer while{' '}
          {keptBy.map((reason) => REASONS[reason]).join(', or ')}.
        </p>
      )}
      <p className="mt-2 text-ink-soft">
        We erase it the following night. A later class or change moves these dates. You can delete your account at any
        time; the <TextLink to="/privacy-policy">privacy policy</TextLink> has all the details.
      </p>
    </>
  )
}

const until = (day: string) => `Until ${formatLongDate(day)}`

function ofPurchases({ count, first, last }: NonNullable<KeptUntil['purchases']>): string {
  if (first === last) return until(first)
  return `${many(count, 'purchase')}: the first until ${formatLongDate(first)}, the last until ${formatLongDate(last)}`
}
