import { type MailServer, startMailServer } from './mail-server.ts'

/**
 * A mail server that accepts and forgets only as many emails as `take` allows. Otherwise the site's workers wait, so
 * that emails don't disturb a measurement.
 */
export type MailSink = MailServer & {
  /** Accepts this many emails and returns the milliseconds taken. */
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
      const startedAt = performance.now()
      enough = Promise.withResolvers()
      wanted = count
      opened.resolve()
      await enough.promise
      return performance.now() - startedAt
    },
    async stop() {
      wanted = Number.POSITIVE_INFINITY
      opened.resolve()
      await server.stop()
    },
  }
}
