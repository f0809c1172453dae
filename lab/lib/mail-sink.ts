import { type MailServer, startMailServer } from './mail-server.ts'

/**
 * A mail server that takes mails and forgets them, but only as many as are asked for: meanwhile the site's workers wait
 * for it, and what is measured then is not the mails that it causes.
 */
export type MailSink = MailServer & {
  /** Takes so many mails and answers in how many milliseconds they came. */
  take(count: number): Promise<number>
}

export async function startMailSink(): Promise<MailSink> {
  let wanted = 0
  let opened = Promise.withResolvers<void>()
  let enough = Promise.withResolvers<void>()
  const server = await startMailServer({
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
  return {
    url: server.url,
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
      await server.stop()
    },
  }
}
