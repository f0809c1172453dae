import type { FastifyInstance, FastifyReply } from 'fastify'
import type { TextRow } from '../tables.ts'
import { mailIn, readMailbox } from './mailbox-files.ts'
import type { ShownPush } from './mailbox-page.ts'

/** Own styles, the mail in a frame and the pictures in mails; no script. */
const policyFor = (appUrl: string) =>
  `default-src 'none'; style-src 'unsafe-inline'; img-src ${appUrl}/email-pictures/; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
// For developers, so not in the API's description.
const undocumented = { schema: { hide: true } }

/**
 * Serves the local mailbox of demo mode as pages and as JSON.
 *
 * @param options.dir where `saveToMailbox` saves the mails
 * @param options.texts the text messages, newest first
 * @param options.pushes the notifications of this process, newest first
 * @param options.appUrl the base of links and pictures, without a trailing slash
 */
export function mailboxRoutes(
  app: FastifyInstance,
  {
    dir,
    appUrl,
    texts,
    pushes,
  }: { dir: string; appUrl: string; texts: () => Promise<TextRow[]>; pushes: readonly ShownPush[] },
): void {
  const policy = policyFor(appUrl)
  const asPage = (reply: FastifyReply, html: string) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .header('cache-control', 'no-store')
      .send(html)

  app.get('/dev/mailbox.json', undocumented, async (_request, reply) => {
    const mails = await readMailbox(dir)
    reply.header('cache-control', 'no-store')
    return mails.map(({ to, subject, text, html, at, attachments }) => ({
      to,
      subject,
      text,
      html,
      at,
      attachments: attachments.map(({ filename }) => filename),
    }))
  })

  app.get('/dev/mailbox', undocumented, async (_request, reply) => {
    const { listPage } = await import('./mailbox-page.ts')
    return asPage(reply, listPage(await readMailbox(dir), await texts(), pushes))
  })

  app.get('/dev/mailbox/templates', undocumented, async (_request, reply) => {
    const { samplesPage } = await import('./mailbox-page.ts')
    return asPage(reply, await samplesPage(appUrl))
  })

  app.get<{ Params: { id: string } }>('/dev/mailbox/:id', undocumented, async ({ params }, reply) => {
    const mail = await mailIn(dir, params.id)
    if (!mail) return reply.callNotFound()
    const { mailPage } = await import('./mailbox-page.ts')
    return asPage(reply, mailPage(mail))
  })

  app.get<{ Params: { id: string; name: string } }>(
    '/dev/mailbox/:id/:name',
    undocumented,
    async ({ params }, reply) => {
      const mail = await mailIn(dir, params.id)
      const attachment = mail?.attachments.find(({ filename }) => filename === params.name)
      if (!attachment) return reply.callNotFound()
      return reply
        .type(attachment.contentType)
        .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(attachment.filename)}`)
        .send(attachment.encoding ? Buffer.from(attachment.content, attachment.encoding) : attachment.content)
    },
  )
}
