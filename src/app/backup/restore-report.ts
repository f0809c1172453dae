import type { Restored } from './restore-backup.ts'
import { LOST_RIGHTS } from './rights.ts'

/** What a restore did about one thing: left it as it was, repeated what happened since, or leaves it to the owner. */
export type ReportLine = { outcome: 'as it was' | 'repeated' | 'to do'; what: string; detail: string }

type Row = (what: string, detail: string | number) => ReportLine
const unchanged: Row = (what, detail) => ({ outcome: 'as it was', what, detail: String(detail) })
const repeated: Row = (what, detail) => ({ outcome: 'repeated', what, detail: String(detail) })
const toDo: Row = (what, detail) => ({ outcome: 'to do', what, detail: String(detail) })

/** The report that a restore prints; docs/operations/backup.md explains it. */
export function reportOf(restored: Restored, erasedAgain: number): ReportLine[] {
  const { rows, happened, lost, isSame, notGranted, receipts, admins } = restored
  const kept = (table: string) => rows[table] ?? 0
  return [
    unchanged('members and their profiles', kept('users')),
    unchanged('health forms', kept('health_questionnaires')),
    unchanged('classes', kept('classes')),
    unchanged('bookings', kept('bookings')),
    unchanged('passes and their credits', kept('passes')),
    unchanged('purchases', kept('purchases')),
    unchanged('settings, packages, closed days, messages, records', 'all of the backup'),

    repeated('members erased since', erasedAgain),
    repeated('health consents withdrawn since, with the answers', restored.health),
    repeated('objections to news and offers since', restored.marketing),
    ...(lost ? LOST_RIGHTS.map(({ what }) => repeated(what, lost.get(what) ?? 0)) : []),
    ...(isSame
      ? [
          repeated('emails sent since, which are not sent again', restored.sentSince),
          repeated('reminders sent, which are not sent again', restored.remindedSince),
        ]
      : []),
    repeated('receipt numbers', receiptsInWords(receipts)),

    ...(lost ? [] : LOST_RIGHTS.map(({ what, unknown }) => toDo(what, `unknown: ${unknown}`))),
    ...(isSame
      ? []
      : [toDo('emails and reminders', 'those that waited at the time of the backup may arrive a second time')]),
    ...(admins === 0 ? [toDo('admins', 'there is none: run npm run admin -- <the owner’s email address>')] : []),
    toDo('admins made since', counted(notGranted?.admins, 'make them admins again, if that was right')),
    toDo('teachers made since', counted(notGranted?.teachers, 'make them teachers again, if that was right')),
    toDo('members unblocked since', counted(notGranted?.unblocked, 'unblock them again, if that was right')),
    toDo('email addresses changed since', counted(notGranted?.addresses, 'the older ones are back; correct them')),
    toDo('members who registered since', counted(happened?.registered, 'they register again')),
    toDo('bookings since', counted(happened?.booked, 'the members’ emails say which; book them again')),
    toDo('cancellations since', counted(happened?.cancelled, 'the members’ emails say which; cancel them again')),
    toDo(
      'card payments since',
      counted(
        happened?.paidByCard,
        'a payment started before the backup becomes a pass within a minute; find the others in Stripe, and give the member the pass or a refund',
      ),
    ),
    toDo(
      'passes since that a code made free',
      counted(happened?.boughtForFree, 'their members can use the code again'),
    ),
    toDo('sales at the desk since', counted(happened?.soldAtDesk, 'record them again; they get new receipt numbers')),
    toDo(
      'gift vouchers sold since',
      counted(
        happened?.vouchersSold,
        'their codes no longer work; sell each again from its buyer’s page, as paid already: that emails a card with a new code',
      ),
    ),
    toDo('refunds at the desk since', counted(happened?.refundedAtDesk, 'record them again')),
    toDo(
      'changes by admins since: classes, packages, gifts, settings',
      counted(happened?.changedByAdmins, 'make them again'),
    ),
    toDo('everyone', 'must sign in again; members whose password was removed use “Forgot your password?”'),
  ]
}

/** Named on the operator's screen. */
const NAMED = 20

function counted(lines: readonly string[] | undefined, advice: string): string {
  if (!lines) return `unknown: ${advice}`
  if (lines.length === 0) return 'none'
  const more = lines.length > NAMED ? `; and ${lines.length - NAMED} more` : ''
  return `${lines.length}: ${advice}. ${lines.slice(0, NAMED).join('; ')}${more}`
}

function receiptsInWords({ restored, given }: Restored['receipts']): string {
  const next = `the next is ${given + 1}`
  if (given === restored) return next
  const lost = given - restored === 1 ? `${given} was` : `${restored + 1} to ${given} were`
  return `${next}; ${lost} given since and ${given - restored === 1 ? 'is' : 'are'} not in the books: keep this line for the accountant`
}

export function formatReport(lines: readonly ReportLine[]): string[] {
  const width = Math.max(...lines.map(({ what }) => what.length))
  return lines.map(({ outcome, what, detail }) => `${outcome.padEnd(9)}  ${what.padEnd(width)}  ${detail}`)
}
