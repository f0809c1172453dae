import { studio } from '#studio.ts'
import type { MailJob } from '../mail.ts'

/**
 * A job as this release writes it. One that the release before queued lacks what its mail says only now: what was true of
 * every such mail then is filled in.
 */
export function completeMail(job: MailJob): MailJob {
  switch (job.mail) {
    case 'purchase-refunded': {
      const { paid, amount } = job.data
      const fee = Number(paid) - Number(amount)
      const then = { fee: fee > 0 ? fee.toFixed(2) : null, method: null, pass: 'ended' as const }
      return { ...job, data: { ...then, ...job.data } }
    }
    case 'payment-returned': {
      const then = { currency: studio.currency, method: null, because: 'held' as const }
      return { ...job, data: { ...then, ...job.data } }
    }
    case 'payment-returned-notice': {
      const because = job.data.member ? ('held' as const) : ('member_gone' as const)
      const then = { currency: studio.currency, because }
      return { ...job, data: { ...then, ...job.data } }
    }
    default:
      return job
  }
}
