import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/**
 * A mail server that takes mails and forgets them, but only as many as are asked for: meanwhile the site's workers wait
 * for it, and what is measured then is not the mails that it causes.
 */
export type MailSink = {
  url: string
  /** Takes so many mails and answers in how many milliseconds they came. */
  take(count: number): Promise<number>
  stop(): Promise<void>
}

export async function startMailSink(): Promise<MailSink> {
  let wanted = 0
  let opened = Promise.withResolvers<void>()
  let enough = Promise.withResolvers<void>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    async onMailFrom(_address, _session, done) {
      while (wanted === 0) await opened.promise
      done()
    },
    onData(stream, _session, done) {
      stream.on('end', done).resume()
      if (wanted > 0 && --wanted === 0) {
        opened = Promise.withResolvers()
        enough.resolve()
      }
    },
  })
  // A site that is stopped, or has waited for too long, hangs up.
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    async take(count) {
      const begun = performance.now()
      enough = Promise.withResolvers()
      wanted = count
      opened.resolve()
      await enough.promise
      return performance.now() - begun
    },
    async stop() {
      wanted = Number.POSITIVE_INFINITY
      opened.resolve()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
