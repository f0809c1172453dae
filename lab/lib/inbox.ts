import { buffer } from 'node:stream/consumers'
import { type MailServer, startMailServer } from './mail-server.ts'

/** A mail server that counts how often each Message-ID, without its domain, arrived. */
export type Inbox = MailServer & { readonly arrived: ReadonlyMap<string, number> }

export async function startInbox(): Promise<Inbox> {
  const arrived = new Map<string, number>()
  const server = await startMailServer({
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
  return { ...server, arrived }
}
