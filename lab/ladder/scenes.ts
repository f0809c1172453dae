import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { runSql } from '../lib/own-postgres.ts'
import type { ThreeSites } from './three-sites.ts'

/** A response takes 12 s at most, and some more on a busy machine. */
const MAX_RESPONSE_MS = 20_000
const LOCKED_MS = 20_000
/** Time for anything that a failed request might still do. */
const SETTLED_AFTER_MS = 15_000

type Reply = { status: number; message: string; ms: number }
type Say = (sentence: string) => void

/** 300 members book concurrently, over three processes. */
export async function rushForTwoPlaces(sites: ThreeSites, print: Say): Promise<string[]> {
  const classId = sites.classIds.pop() as number
  const responses = await Promise.all(sites.members.map((_, place) => book(sites, place, classId)))
  print(summaryOf(responses))
  const faults = findBadResponses(responses)
  const booked = responses.filter(({ status }) => status === 201).length
  if (booked !== 2) faults.push(`${booked} members were given one of two places`)
  return [...faults, ...(await findContradictions(sites, classId, responses))]
}

/** Ten bookings a second while another connection locks the class. */
export async function lockedClass(sites: ThreeSites, print: Say): Promise<string[]> {
  const classId = sites.classIds.pop() as number
  const holder = new pg.Client({ connectionString: sites.databaseUrl })
  await holder.connect()
  await holder.query('begin')
  await holder.query('select from classes where id = $1 for update', [classId])
  const released = pause(LOCKED_MS).then(async () => {
    await holder.query('rollback')
    await holder.end()
  })
  const responses = await Promise.all(
    sites.members.slice(0, 200).map(async (_, place) => {
      await pause(place * (LOCKED_MS / 185))
      return await book(sites, place, classId)
    }),
  )
  await released
  await pause(SETTLED_AFTER_MS)
  print(summaryOf(responses))
  return [...findBadResponses(responses), ...(await findContradictions(sites, classId, responses))]
}

/** 200 members activate their own payments concurrently. */
export async function hangingProvider(sites: ThreeSites, print: Say): Promise<string[]> {
  const { rows } = await runSql(
    sites.databaseUrl,
    `with sold as (
       insert into packages (name, price_pence, class_count, validity_months, max_participants, is_limited_offer,
                             purchase_once_per_user, created_at, updated_at)
       values ('8 Class Pass', 42400, 8, 4, 2, false, false, now(), now()) returning id
     )
     insert into payment_intents (id, user_id, package_id, amount_pence, lines, class_count, validity_months, state,
                                  created_at)
     select concat_ws('_', 'pi', member, sold.id, 42400), member, sold.id, 42400,
            '[{"kind": "package", "label": "8 Class Pass", "amountPence": 42400}]', 8, 4, 'open', now()
       from sold, unnest($1::text[]) as member
     returning id, package_id`,
    [sites.members.slice(0, 200).map(({ id }) => id)],
  )
  const responses = await Promise.all(
    rows.map(({ id, package_id }, place) =>
      post(sites, place, '/api/purchase-package', { packageId: package_id, paymentIntentId: id }),
    ),
  )
  const { rows: made } = await runSql(sites.databaseUrl, 'select payment_intent_id as id from purchases')
  await pause(SETTLED_AFTER_MS)
  const { rows: later } = await runSql(sites.databaseUrl, 'select payment_intent_id as id from purchases')
  print(summaryOf(responses))
  const done = new Set(later.map(({ id }) => id))
  const faults = findBadResponses(responses)
  if (later.length !== made.length) faults.push(`${later.length - made.length} passes were created after the response`)
  for (const [place, { status }] of responses.entries()) {
    const { id } = rows[place]
    if (done.has(id) !== (status === 201)) faults.push(`${id} returned ${status}, which contradicts the database`)
  }
  return faults
}

function book(sites: ThreeSites, place: number, classId: number): Promise<Reply> {
  return post(sites, place, '/api/bookings', { classId, participantCount: 1, usePass: true })
}

async function post({ origins, members }: ThreeSites, place: number, path: string, body: object): Promise<Reply> {
  const startedAt = performance.now()
  try {
    const response = await fetch(`${origins[place % origins.length]}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: members[place]?.cookie ?? '' },
      body: JSON.stringify(body),
    })
    const { message = '' } = (await response.json()) as { message?: string }
    return { status: response.status, message, ms: performance.now() - startedAt }
  } catch (error) {
    return { status: 0, message: String(error), ms: performance.now() - startedAt }
  }
}

/** Missing, unreadable, faulty or late responses. */
function findBadResponses(responses: Reply[]): string[] {
  const isClean = ({ status, message }: Reply) =>
    status === 201 || ([400, 409, 503].includes(status) && /^[A-Z].*\.$/.test(message))
  return responses.flatMap((response, place) => [
    ...(isClean(response) ? [] : [`no. ${place} returned ${response.status} ${response.message}`]),
    ...(response.ms > MAX_RESPONSE_MS ? [`no. ${place} waited ${(response.ms / 1000).toFixed(1)} s`] : []),
  ])
}

/** Bookings that contradict the response. */
async function findContradictions(sites: ThreeSites, classId: number, responses: Reply[]): Promise<string[]> {
  const { rows } = await runSql(
    sites.databaseUrl,
    "select user_id from bookings where class_id = $1 and status = 'confirmed'",
    [classId],
  )
  const booked = new Set(rows.map((row) => row.user_id))
  return responses.flatMap(({ status }, place) => {
    const id = sites.members[place]?.id
    return booked.has(id) === (status === 201) ? [] : [`${id} returned ${status}, booked: ${booked.has(id)}`]
  })
}

function summaryOf(responses: Reply[]): string {
  const counts = new Map<number, number>()
  for (const { status } of responses) counts.set(status, (counts.get(status) ?? 0) + 1)
  const parts = [...counts].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`)
  const slowest = Math.max(...responses.map(({ ms }) => ms)) / 1000
  return `  ${parts.join(', ')}; slowest ${slowest.toFixed(1)} s`
}
