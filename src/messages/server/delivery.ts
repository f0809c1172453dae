import { createTransport } from 'nodemailer'
import { z } from 'zod'
import { type Clock, systemClock } from '#foundation/instants.ts'
import { refusedForGood } from '../rules.ts'
import { keepInMailbox } from './mailbox-files.ts'
import type { RenderedMail } from './render-mail.ts'

/** Absent: mail stays in the local mailbox. */
export type Smtp = { url: string; from: string; requireTls?: boolean } | undefined

export type Mailer = {
  /**
   * Hands a mail over. A repeat with the same id is recognisable as such.
   *
   * @param id of the job it belongs to
   * @throws when it was not taken; the queue tries again later
   */
  deliver(mail: RenderedMail, id: string): Promise<void>
  /** Closes connections; mails being handed over are finished first. */
  close(): void
}

const word = z.string().optional().catch(undefined)
/** What the network or a mail server says of a failure. */
const Failure = z.object({
  message: z.string(),
  code: word,
  command: word,
  response: word,
  responseCode: z.number().optional().catch(undefined),
})

/** Thrown when a server did not take a mail. Says why, without the addresses that servers like to repeat. */
export class NotDelivered extends Error {
  /** In the server's words. */
  readonly reason: string
  /** What is refused for good; null when trying again may help. */
  readonly refused: 'address' | 'mail' | null

  constructor(id: string, cause: unknown) {
    const { code, command, response, responseCode, message } = Failure.parse(cause)
    const reason = (response ?? message).replace(/[^\s<>]+@[^\s<>]+/g, '…')
    super(`mail ${id} was not taken (${[code, command].filter(Boolean).join(' at ')}): ${reason}`)
    this.name = 'NotDelivered'
    this.reason = reason
    this.refused = refusedForGood({ code: responseCode, command, response })
  }
}

const SECOND = 1000
/**
 * How long a mail server may take, and how much longer an answer that has come may wait to be read: a process that stood
 * still finds every time over before it reads. Together below the minute after which the queue gives the job to somebody else.
 */
const PATIENCE = { ms: 45 * SECOND, graceMs: 5 * SECOND }
type Patience = typeof PATIENCE
/** Of so many mails a mailer knows that they have gone: far more than wait for an answer at once. */
const REMEMBERED = 1000

/**
 * How mail leaves: over SMTP where that is set up, else into the local mailbox.
 *
 * @param options.mailboxDir where the local mailbox keeps its files
 */
export function mailer(
  settings: { smtp: Smtp },
  options: { mailboxDir: string; clock?: Clock; patience?: Patience },
): Mailer {
  const { mailboxDir, clock = systemClock, patience = PATIENCE } = options
  if (settings.smtp) return onceHere(smtpMailer(settings.smtp, patience))
  return { deliver: (mail, id) => keepInMailbox(mailboxDir, mail, id, clock.now()), close() {} }
}

/**
 * The queue may give a mail again that is being handed over, or has been: to it a process that stood still is one that
 * was lost. The same process knows better.
 */
function onceHere({ deliver, close }: Mailer): Mailer {
  const handed = new Map<string, Promise<void>>()
  return {
    deliver(mail, id) {
      const before = handed.get(id)
      if (before) return before
      const [oldest] = handed.keys()
      if (oldest !== undefined && handed.size >= REMEMBERED) handed.delete(oldest)
      const now = deliver(mail, id)
      handed.set(id, now)
      // Not taken: to be tried again.
      now.catch(() => handed.delete(id))
      return now
    },
    close,
  }
}

function beginToWait({ ms, graceMs }: Patience): { signal: AbortSignal; end: () => void } {
  const giveUp = new AbortController()
  let timer = setTimeout(() => {
    timer = setTimeout(() => giveUp.abort(), graceMs)
  }, ms)
  return { signal: giveUp.signal, end: () => clearTimeout(timer) }
}

function smtpMailer({ url, from, requireTls = false }: NonNullable<Smtp>, patience: Patience): Mailer {
  const transport = createTransport({
    url,
    pool: true,
    // A mail waits rather than leave where others could read it.
    requireTLS: requireTls,
    maxConnections: 2,
    // The queue repeats; one requeue covers a pooled connection that the server has just closed.
    maxRequeues: 1,
    dnsTimeout: 10 * SECOND,
    connectionTimeout: 10 * SECOND,
    greetingTimeout: 10 * SECOND,
    // Closes what stands about unused; longer than any stop of this process, which would count as silence.
    socketTimeout: 600 * SECOND,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost'
  return {
    async deliver({ to, replyTo, subject, html, text, attachments, unsubscribe }, id) {
      const { signal, end } = beginToWait(patience)
      try {
        await transport.sendMail({
          messageId: `<${id}@${domain}>`,
          from,
          replyTo,
          // As an object: a string would be read as a list of addresses.
          to: { name: '', address: to },
          subject,
          text,
          html,
          attachments,
          headers: {
            // Asks holiday notices not to answer.
            'Auto-Submitted': 'auto-generated',
            ...(unsubscribe && {
              'List-Unsubscribe': `<${unsubscribe}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
          signal,
        })
      } catch (error) {
        throw new NotDelivered(id, error)
      } finally {
        end()
      }
    },
    close: () => transport.close(),
  }
}
