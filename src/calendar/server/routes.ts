import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { currentFacts } from '#facts/server/facts.ts'
import { refuse } from '#foundation/refusal.ts'
import { calendarFeed, type TokenOf } from '#messages/server/messages.ts'
import { type Http, serve, serveFile } from '#platform/http/serve.ts'
import { write } from '#platform/http/write.ts'
import type { SecretBox } from '#platform/vault/secret-box.ts'
import * as contract from '../contract.ts'
import * as own from '../contract-own.ts'
import { addressOf, createFeedAddress, endAddress, findFeed } from './calendar.ts'
import { mailedCalendarFile, ownEvents, studioEvents } from './feeds.ts'
import { busyTimesBetween, ownCalendarNow, removeOwnCalendar, setOwnCalendar, termClashes } from './own-calendar.ts'

export function calendarRoutes(
  http: Http,
  { site, tokenOf, secrets }: { site: (path: string) => string; tokenOf: TokenOf; secrets: SecretBox },
): void {
  serve(http, contract.getCalendar, async ({ db, user }) => addressOf(db, user.id))

  write(http, contract.createCalendar, async ({ tx, now, user }) => {
    const secret = await createFeedAddress(tx, user, now)
    return { url: site(`/api/calendar/${secret}.ics`) }
  })

  write(http, contract.endCalendar, ({ tx, user }) => endAddress(tx, user.id))

  serve(http, own.readOwnCalendar, async ({ db }) => ownCalendarNow(db))

  write(http, own.setOwnCalendar, async ({ tx, now, user, body }) =>
    setOwnCalendar(tx, secrets, user, body.address, now),
  )

  write(http, own.removeOwnCalendar, ({ tx, now, user }) => removeOwnCalendar(tx, user, now))

  serve(http, own.listBusyTimes, async ({ db, query }) => busyTimesBetween(db, query))

  serve(http, own.listTermClashes, async ({ db, query }) => termClashes(db, query))

  serveFile(http, contract.readMailedEntry, async ({ db, params }) => {
    const content = await mailedCalendarFile(db, params, { tokenOf, site })
    // `inline`, so that phones offer to add it instead of saving a file.
    return { name: 'class.ics', content: Readable.from([content]), disposition: 'inline' }
  })

  serveFile(http, contract.readCalendarFeed, async ({ db, now, params, request, reply }) => {
    const feed = (await findFeed(db, params.secret)) ?? refuse(contract.calendarRefusals.calendar_feed_not_found)
    const events =
      feed.shows === 'studio' ? await studioEvents(db, now, site) : await ownEvents(db, feed.userId, now, site)
    const content = calendarFeed(events, await currentFacts(db))
    // Calendars poll every hour or so; an unchanged feed is not sent again.
    const etag = `"${createHash('sha256').update(content).digest('base64url')}"`
    reply.headers({ etag, 'cache-control': 'private, no-cache' })
    const isKnown = request.headers['if-none-match']?.split(/\s*,\s*/).some((tag) => tag.replace(/^W\//, '') === etag)
    if (isKnown) reply.code(304)
    return { name: 'classes.ics', content: Readable.from(isKnown ? [] : [content]) }
  })
}
