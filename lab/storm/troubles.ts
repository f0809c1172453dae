import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { runSql } from '../lib/own-postgres.ts'
import { memoryOf } from '../lib/process-usage.ts'
import { recoveryTime, type Scene } from './scene.ts'

const SECOND = 1000
/** Load after a trouble is over. */
const AFTER_MS = 15 * SECOND

/** PostgreSQL is killed and stays away for 30 s. */
export async function stoppedDatabase({ postgres, load }: Scene): Promise<string[]> {
  await postgres.kill()
  await pause(30 * SECOND)
  const back = performance.now()
  await postgres.startAgain()
  await pause(AFTER_MS)
  return [`the last request failed ${recoveryTime(load.result, back)} after the restart`]
}

/** PostgreSQL is frozen for 60 s: connections stay open without responses. */
export async function frozenDatabase({ postgres, load }: Scene): Promise<string[]> {
  await postgres.freeze()
  await pause(60 * SECOND)
  const back = performance.now()
  await postgres.wake()
  await pause(AFTER_MS)
  return [`the last request failed ${recoveryTime(load.result, back)} after it continued`]
}

/** The site is frozen for 60 s: requests wait and are answered when it continues. */
export async function frozenSite({ site, load }: Scene): Promise<string[]> {
  const before = load.result.faults.length
  const { unanswered } = load.result
  process.kill(site.pid, 'SIGSTOP')
  await pause(60 * SECOND)
  process.kill(site.pid, 'SIGCONT')
  const back = performance.now()
  await load.waiting()
  const seconds = ((performance.now() - back) / SECOND).toFixed(1)
  // Requests of that minute may be late, but nothing else may have gone wrong.
  const found = load.result.faults.splice(before)
  const other = found.filter((fault) => !fault.startsWith('a response took'))
  load.result.faults.push(...other)
  await pause(AFTER_MS)
  return [
    `${found.length - other.length} waited longer than 20 s, ${load.result.unanswered - unanswered} got no response, the others one within ${seconds} s; the last request failed ${recoveryTime(load.result, back)} after it continued`,
  ]
}

/** The mail server refuses everything for an hour, simulated at a minute per second. */
export async function refusingMail({ postgres, inbox, load }: Scene): Promise<string[]> {
  inbox.refuse(true)
  const passMinute = async () => {
    await runSql(
      postgres.url,
      `update pgboss.job set start_after = start_after - interval '1 minute', created_on = created_on - interval '1 minute'
        where name in ('mail', 'mail-link') and state in ('created', 'retry')`,
    )
    await pause(SECOND)
  }
  for (let minute = 0; minute < 60; minute++) await passMinute()
  const { rows } = await runSql(
    postgres.url,
    `select count(*)::int as waiting, max(retry_count)::int as tries, extract(epoch from max(now() - created_on))::int as age
       from pgboss.job where name = 'mail' and state in ('created', 'retry')`,
  )
  const [before] = rows
  await load.stop()
  inbox.refuse(false)
  let minutes = 0
  for (; minutes < 120 && (await waitingMails(postgres.url)) > 0; minutes++) await passMinute()
  return [
    `refused ${inbox.refused} times; ${before.waiting} emails waited, the oldest ${Math.round(before.age / 60)} minutes, tried ${before.tries} times`,
    `all had arrived ${minutes} minutes after the mail server accepted email again`,
  ]
}

async function waitingMails(url: string): Promise<number> {
  const { rows } = await runSql(
    url,
    `select count(*)::int as waiting from pgboss.job where name = 'mail' and state in ('created', 'retry', 'active')`,
  )
  return rows[0].waiting
}

/** 5,000 idle connections for a minute, half of them after one request. */
export async function idleConnections({ site, load }: Scene): Promise<string[]> {
  const { hostname, port } = new URL(site.origin)
  const before = await memoryOf(site.pid)
  const sockets: Socket[] = []
  let refused = 0
  for (let made = 0; made < 5000; made++) {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.resume()
    await once(socket, 'connect').catch(() => refused++)
    if (made % 2 === 0) socket.write('GET /api/packages HTTP/1.1\r\nHost: studio\r\n\r\n')
    sockets.push(socket)
  }
  const held = await memoryOf(site.pid)
  const slowestBefore = load.result.slowestMs
  await pause(60 * SECOND)
  const open = sockets.filter((socket) => !socket.destroyed && !socket.readableEnded).length
  for (const socket of sockets) socket.destroy()
  return [
    `${5000 - refused} were opened, ${open} of them still open after a minute; memory ${before} MB before, ${held} MB with them`,
    `slowest response before ${(slowestBefore / 1000).toFixed(1)} s, with them ${(load.result.slowestMs / 1000).toFixed(1)} s`,
  ]
}

/** Another client takes every connection of PostgreSQL for 30 s. */
export async function connectionLimit({ postgres, load }: Scene): Promise<string[]> {
  const taken: pg.Client[] = []
  // Connections that the site releases are taken too.
  const until = performance.now() + 30 * SECOND
  while (performance.now() < until) {
    const client = new pg.Client({ connectionString: postgres.url })
    client.on('error', () => {})
    try {
      await client.connect()
      taken.push(client)
    } catch {
      await pause(100)
    }
  }
  const back = performance.now()
  const ends = await Promise.allSettled(taken.map((client) => client.end()))
  await pause(AFTER_MS)
  return [
    `${ends.length} connections taken; the last request failed ${recoveryTime(load.result, back)} after they were free again`,
  ]
}

/** The disk of database and data is full for 30 s. */
export async function fullDisk({ postgres, site, load, print }: Scene): Promise<string[]> {
  const ballast = join(postgres.folder, 'ballast')
  // dd ends with "no space left".
  spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=64k'], { stdio: 'ignore' })
  const ready = () =>
    fetch(`${site.origin}/readyz`).then(
      ({ status }) => status,
      () => 'nothing',
    )
  await pause(30 * SECOND)
  const whileFull = `with the disk full PostgreSQL ${(await postgres.isUp()) ? 'was up' : 'had ended'} and /readyz returned ${await ready()}`
  print(`  ${whileFull}`)
  await rm(ballast)
  const back = performance.now()
  if (!(await postgres.isUp())) await postgres.startAgain()
  await pause(AFTER_MS)
  return [
    whileFull,
    `the last request failed ${recoveryTime(load.result, back)} after the disk had space; /readyz ${await ready()}`,
  ]
}
