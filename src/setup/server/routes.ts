import { type Http, serve } from '#platform/http/serve.ts'
import { write } from '#platform/http/write.ts'
import * as contract from '../contract.ts'
import { confirmSetUp, type Site, setUpNow } from './setup.ts'

export function setUpRoutes(http: Http, { site }: { site: Site }): void {
  serve(http, contract.readSetUp, async ({ db, now }) => setUpNow(db, site, now))
  write(http, contract.confirmSetUp, async ({ tx, now, user, params }) =>
    confirmSetUp(tx, user, params.item, site, now),
  )
}
