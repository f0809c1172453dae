// npm run lab -- rotation: changes the health data key while 5,000 members read and save. Nothing may be lost or
// refused.

import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { createVault } from '#platform/vault/vault.ts'
import { check, type OnFinished } from './lib/check.ts'
import { fill, fillWithMembers, type SignedIn } from './lib/fill.ts'
import { addHealthUpdates } from './lib/fill-studio.ts'
import { type LiveSite, startLiveSite } from './lib/live-site.ts'
import { runSql, startOwnPostgres } from './lib/own-postgres.ts'

const MEMBERS = 5000
const PER_SECOND = 20
const QUIET_MS = 20_000

const print = (sentence: string) => console.log(sentence)
const base64 = (...keys: Buffer[]) => keys.map((key) => key.toString('base64')).join(',')

async function measure(onFinished: OnFinished): Promise<string[]> {
  const postgres = await startOwnPostgres()
  onFinished(postgres.stop)
  const databaseUrl = await postgres.database('rotation')
  print(`Filling a studio with ${MEMBERS} members, four health updates each.`)
  const { secrets, members } = await fillWithMembers(databaseUrl, { members: MEMBERS, days: 1, aDay: 1 })
  await fill(databaseUrl, (client) => addHealthUpdates(client, members, secrets))
  const [old, fresh] = [secrets.healthDataKey, randomBytes(32)]
  const sites: LiveSite[] = []
  onFinished(() => Promise.all(sites.map((site) => site.stop())))
  const open = async (name: string, keys: string) => {
    const startedAt = performance.now()
    const env = { HEALTH_DATA_KEY: keys }
    const site = await startLiveSite({ name, databaseUrl, folder: postgres.folder, secrets, env })
    sites.push(site)
    return { site, ms: performance.now() - startedAt }
  }

  // The steps of docs/operations/keys.md for several processes.
  const taught = await open('taught', base64(old, fresh))
  const visitors = startVisitors(taught.site.origin, members)
  await pause(QUIET_MS)
  const before = visitors.sinceLast()

  const rotating = await open('rotating', base64(fresh, old))
  const during = visitors.sinceLast()
  print(`start without a rotation ${seconds(taught.ms)}, with one ${seconds(rotating.ms)}`)
  await visitors.stop()
  await taught.site.stop()
  sites.splice(sites.indexOf(taught.site), 1)
  const rest = await open('rest', base64(fresh, old))
  print(`values saved under the old key in between: found by the next start in ${seconds(rest.ms)}`)

  const only = await open('only', base64(fresh))
  for (const [when, measured] of Object.entries({ before, 'during the rotation': during }))
    print(`${when}: ${inWords(measured)}`)
  return [
    ...[before, during].flatMap(({ faults }) => faults),
    ...visitors.lost,
    ...(await unreadable(databaseUrl, fresh)),
    ...(/cannot be read/.test(await only.site.log()) ? ['the site logged an unreadable record'] : []),
  ]
}

type Measured = { ms: number[]; faults: string[] }

/** Members read and save their answers, and must read what was acknowledged. */
function startVisitors(origin: string, members: readonly SignedIn[]) {
  let [ms, faults]: [number[], string[]] = [[], []]
  const lost: string[] = []
  const saved = new Map<string, string>()
  const busy = new Set<string>()
  const under = new Set<Promise<void>>()
  const ask = async (member: SignedIn, body?: object) => {
    const startedAt = performance.now()
    const response = await fetch(`${origin}/api/health/questionnaire`, {
      method: body ? 'POST' : 'GET',
      headers: { cookie: member.cookie, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
    })
    const health = (await response.json()) as { allergies?: string; unreadable?: string }
    ms.push(performance.now() - startedAt)
    if (response.status !== 200 || health.unreadable) faults.push(`${response.status} ${JSON.stringify(health)}`)
    return health
  }
  const visit = async () => {
    const member = members[Math.floor(Math.random() * members.length)]
    if (!member || busy.has(member.id)) return
    busy.add(member.id)
    try {
      if (Math.random() < 0.5) {
        const allergies = `none, saved at ${performance.now()}`
        await ask(member, { allergies })
        saved.set(member.id, allergies)
      }
      const read = await ask(member)
      const expected = saved.get(member.id)
      if (expected && read.allergies !== expected) lost.push(`${member.id} does not read what was saved`)
    } catch (error) {
      faults.push(String(error))
    } finally {
      busy.delete(member.id)
    }
  }
  const timer = setInterval(() => {
    const visiting = visit().finally(() => under.delete(visiting))
    under.add(visiting)
  }, 1000 / PER_SECOND)
  return {
    lost,
    /** What was measured since the last call. */
    sinceLast(): Measured {
      const measured = { ms, faults }
      ;[ms, faults] = [[], []]
      return measured
    },
    async stop() {
      clearInterval(timer)
      await Promise.all(under)
    },
  }
}

/** Values that the new key cannot open. */
async function unreadable(url: string, key: Buffer): Promise<string[]> {
  const vault = createVault([key])
  const { rows }: pg.QueryResult = await runSql(
    url,
    `select 'questionnaire' as purpose, user_id as owner, user_id as row, version, sealed from health_questionnaires
     union all select 'emergency-contact', user_id, user_id, version, sealed from emergency_contacts
     union all select 'changes', user_id, id::text, version, sealed_changes from health_updates`,
  )
  const faults = rows.flatMap(({ purpose, sealed, ...place }) => {
    try {
      vault.open(place, purpose, sealed)
      return []
    } catch (error) {
      return [`${purpose} of ${place.owner}: ${String(error)}`]
    }
  })
  print(`${rows.length} values at the end, ${rows.length - faults.length} of them under the new key`)
  return faults
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
function inWords({ ms, faults }: Measured): string {
  const sorted = [...ms].sort((a, b) => a - b)
  const at = (part: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0)
  return `${ms.length} responses, ${faults.length} wrong; median ${at(0.5)} ms, 99 % within ${at(0.99)} ms, slowest ${at(1)} ms`
}

await check(measure, 'Nothing was lost, refused or unreadable.')
