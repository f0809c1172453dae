import { type Http, serve } from '#platform/http/serve.ts'
import { write } from '#platform/http/write.ts'
import * as contract from '../contract.ts'
import { ledgerOf } from './credits.ts'
import { voidPass } from './end-passes.ts'
import { giftCredits } from './gift-credits.ts'
import { passesOf } from './pass-queries.ts'
import { extendPass, resumePass } from './pauses.ts'

export function passRoutes(http: Http): void {
  serve(http, contract.listPasses, async ({ db, now, user, query }) =>
    passesOf(db, user.id, { activeAt: query.activeOnly ? now : undefined }),
  )

  serve(http, contract.listCredits, async ({ db, user, query }) =>
    ledgerOf(db, user.id, { ...query, namesAdmins: false }),
  )

  write(http, contract.giftCredits, async ({ tx, now, user, params, body }) =>
    giftCredits(tx, user, { memberId: params.userId, ...body }, now),
  )

  write(http, contract.deletePass, ({ tx, now, user, params }) => voidPass(tx, params.id, user, now))

  write(http, contract.resumePass, ({ tx, now, user, params }) => resumePass(tx, user, params.id, now))

  write(http, contract.extendPass, ({ tx, now, user, params, body }) => extendPass(tx, user, params.id, body, now))
}
