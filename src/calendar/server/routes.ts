import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { currentFacts } from '#facts/server/facts.ts'
import type { Clock } from '#foundation/instants.ts'
import { refuse } from '#foundation/refusal.ts'
import { calendarFeed, type TokenOf } from '#messages/server/messages.ts'
import type { Database } from '#platform/database/database.ts'
import { type Http, serve, serveFile } from '#platform/http/serve.ts'
import type { SecretBox } from '#platform/vault/secret-box.ts'
import * as contract from '../contract.ts'
import * as own from '../contract-own.ts'
import { addressOf, createFeedAddress, endAddress, findFeed } from './calendar.ts'
import { mailedCalendarFile, ownEvents, studioEvents } from './feeds.ts'
import { busyTimesBetween, ownCalendarNow, removeOwnCalendar, setOwnCalendar, termClashes } from './own-calendar.ts'

export function calendarRoutes(
  http: Http,
  {
    database,
    clock,
    site,
    tokenOf,
    secrets,
  }: { database: Database; clock: Clock; site: (path: string) => string; tokenOf: TokenOf; secrets: SecretBox },
): void {
  serve(http, contract.getCalendar, async ({ user }) => addressOf(database.db, user.id))

  serve(http, contract.createCalendar, async ({ user }) => {
    const secret = await database.transaction((tx) => createFeedAddress(tx, user, clock.now()))
    return { url: site(`/api/calendar/${secret}.ics`) }
  })

  serve(http, contract.endCalendar, async ({ user }) => {
    await database.transaction((tx) => endAddress(tx, user.id))
    return { message: 'Your calendar link has ended.' }
  })

  serve(http, own.readOwnCalendar, async () => ownCalendarNow(database.db))

  serve(http, own.setOwnCalendar, async ({ user, body }) =>
    database.transaction((tx) => setOwnCalendar(tx, secrets, user, body.address, clock.now())),
  )

  serve(http, own.removeOwnCalendar, async ({ user }) => {
    await database.transaction((tx) => removeOwnCalendar(tx, user, clock.now()))
    return { message: 'Your calendar is no longer connected.' }
  })

  serve(http, own.listBusyTimes, async ({ query }) => busyTimesBetween(database.db, query))

  serve(http, own.listTermClashes, async ({ query }) => termClashes(database.db, query))

  serveFile(http, contract.readMailedEntry, async ({ params }) => {
    const content = await mailedCalendarFile(database.db, params, { tokenOf, site })
    // `inline`, so that phones offer to add it instead of saving a file.
    return { name: 'class.ics', content: Readable.from([content]), disposition: 'inline' }
  })

  serveFile(http, contract.readCalendarFeed, async ({ params, request, reply }) => {
    const feed =
      (await findFeed(database.db, params.secret)) ?? refuse(contract.calendarRefusals.calendar_feed_not_found)
    const events =
      feed.shows === 'studio'
        ? await studioEvents(database.db, clock.now(), site)
        : await ownEvents(database.db, feed.userId, clock.now(), site)
    const content = calendarFeed(events, await currentFacts(database.db))
    // Calendars poll every hour or so; an unchanged feed is not sent again.
    const etag = `"${createHash('sha256').update(content).digest('base64url')}"`
    reply.headers({ etag, 'cache-control': 'private, no-cache' })
    const isKnown = request.headers['if-none-match']?.split(/\s*,\s*/).some((tag) => tag.replace(/^W\//, '') === etag)
    if (isKnown) reply.code(304)
    return { name: 'classes.ics', content: Readable.from(isKnown ? [] : [content]) }
  })
}
