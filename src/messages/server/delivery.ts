import { z } from 'zod'
import { type Clock, systemClock } from '#foundation/instants.ts'
import { permanentRefusal } from '../rules.ts'
import { saveToMailbox } from './mailbox-files.ts'
import type { RenderedMail } from './render-mail.ts'

/** Without it, mails stay in the local mailbox. */
type Smtp = { url: string; from: string; requireTls?: boolean } | undefined

export type Mailer = {
  /** @throws `DeliveryError` if the mail was not accepted; the queue retries later. `id` is the job's. */
  deliver(mail: RenderedMail, id: string): Promise<void>
  /** Closes connections after the current deliveries. */
  close(): void
}

const optionalText = z.string().optional().catch(undefined)
const Failure = z.object({
  message: z.string(),
  code: optionalText,
  command: optionalText,
  response: optionalText,
  responseCode: z.number().optional().catch(undefined),
})

/** The server did not accept a mail. The message leaves out addresses, which servers like to repeat. */
export class DeliveryError extends Error {
  readonly reason: string
  /** What is refused permanently; null if retrying may help. */
  readonly refused: 'address' | 'mail' | null

  constructor(id: string, cause: unknown) {
    const { code, command, response, responseCode, message } = Failure.parse(cause)
    const reason = (response ?? message).replace(/[^\s<>]+@[^\s<>]+/g, '…')
    super(`email ${id} was not accepted (${[code, command].filter(Boolean).join(' at ')}): ${reason}`)
    this.name = 'DeliveryError'
    this.reason = reason
    this.refused = permanentRefusal({ code: responseCode, command, response })
  }
}

const SECOND = 1000
/**
 * How long a mail server may take, and the grace in which a process that was suspended can still read a response that
 * has arrived. Together less than the minute after which the queue hands the job to another process.
 */
const TIMEOUTS = { ms: 45 * SECOND, graceMs: 5 * SECOND }
type Timeouts = typeof TIMEOUTS
const MAX_REMEMBERED = 1000

/** Delivers over SMTP if it is configured, otherwise into the local mailbox in `mailboxDir`. */
export function createMailer(
  settings: { smtp: Smtp },
  options: { mailboxDir: string; clock?: Clock; timeouts?: Timeouts },
): Mailer {
  const { mailboxDir, clock = systemClock, timeouts = TIMEOUTS } = options
  if (settings.smtp) return withoutRepeats(smtpMailer(settings.smtp, timeouts))
  return { deliver: (mail, id) => saveToMailbox(mailboxDir, mail, id, clock.now()), close() {} }
}

/** The queue may repeat a job of a process that was suspended. That process then does not send the mail twice. */
function withoutRepeats({ deliver, close }: Mailer): Mailer {
  const deliveries = new Map<string, Promise<void>>()
  return {
    deliver(mail, id) {
      const earlier = deliveries.get(id)
      if (earlier) return earlier
      const [oldest] = deliveries.keys()
      if (oldest !== undefined && deliveries.size >= MAX_REMEMBERED) deliveries.delete(oldest)
      const delivery = deliver(mail, id)
      deliveries.set(id, delivery)
      delivery.catch(() => deliveries.delete(id))
      return delivery
    },
    close,
  }
}

/** The bare address of `Studio <hello@studio.example>`. */
const addressIn = (from: string) => /<([^<>]+)>/.exec(from)?.[1] ?? from.trim()

function startTimeout({ ms, graceMs }: Timeouts): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController()
  let timer = setTimeout(() => {
    timer = setTimeout(() => controller.abort(), graceMs)
  }, ms)
  return { signal: controller.signal, end: () => clearTimeout(timer) }
}

function smtpMailer({ url, from, requireTls = false }: NonNullable<Smtp>, timeouts: Timeouts): Mailer {
  const connect = async () => {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      url,
      pool: true,
      requireTLS: requireTls,
      // Providers limit them. The other jobs that a queue runs at once wait for one.
      maxConnections: 5,
      // For a pooled connection that the server has just closed; the queue does the other retries.
      maxRequeues: 1,
      dnsTimeout: 10 * SECOND,
      connectionTimeout: 10 * SECOND,
      greetingTimeout: 10 * SECOND,
      // Closes idle connections. Longer than a process is ever suspended, which would look like silence.
      socketTimeout: 600 * SECOND,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }
  let transport: ReturnType<typeof connect> | undefined
  const domain = /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost'
  return {
    async deliver({ to, fromName, replyTo, subject, html, text, attachments, unsubscribe }, id) {
      const { signal, end } = startTimeout(timeouts)
      try {
        transport ??= connect()
        await (await transport).sendMail({
          messageId: `<${id}@${domain}>`,
          from: fromName === null ? from : { name: fromName, address: addressIn(from) },
          ...(replyTo && { replyTo }),
          // A string would be parsed as a list of addresses.
          to: { name: '', address: to },
          subject,
          text,
          html,
          attachments,
          // Otherwise it counts the letters of every part to choose an encoding.
          textEncoding: 'quoted-printable',
          headers: {
            // Prevents automatic replies.
            'Auto-Submitted': 'auto-generated',
            ...(unsubscribe && {
              'List-Unsubscribe': `<${unsubscribe}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
          signal,
        })
      } catch (error) {
        throw new DeliveryError(id, error)
      } finally {
        end()
      }
    },
    close: () => void transport?.then((opened) => opened.close()),
  }
}
