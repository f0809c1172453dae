import { buffer } from 'node:stream/consumers'
import { type MailServer, startMailServer } from './mail-server.ts'

/** A mail server that counts emails by Message-ID and can refuse all. */
export type Inbox = MailServer & {
  /** Message-ID without the domain → how often it arrived. */
  readonly arrived: ReadonlyMap<string, number>
  /** How often it has refused. */
  readonly refused: number
  refuse(isRefusing: boolean): void
}

export async function startInbox(): Promise<Inbox> {
  const arrived = new Map<string, number>()
  let refused = 0
  let isRefusing = false
  const server = await startMailServer({
    onMailFrom(_address, _session, done) {
      if (isRefusing) refused++
      done(isRefusing ? Object.assign(new Error('4.3.2 Try again later'), { responseCode: 451 }) : null)
    },
    onData(stream, _session, done) {
      buffer(stream)
        .then((raw) => {
          const id = /^Message-ID: <([^@>]+)/im.exec(raw.toString('latin1'))?.[1] ?? 'none'
          arrived.set(id, (arrived.get(id) ?? 0) + 1)
          done()
        })
        .catch(done)
    },
  })
  return {
    ...server,
    arrived,
    get refused() {
      return refused
    },
    refuse(now) {
      isRefusing = now
    },
  }
}
