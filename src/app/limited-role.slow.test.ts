import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { keysOf } from '#foundation/collections.ts'
import { LIVE } from '#testing/live-settings.ts'
import { Person } from '#testing/person.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { databaseUrl } from '#testing/test-databases.ts'
import { dataFolder, runMain } from './main-under-test.ts'
import { migrateDatabase } from './prepare-database.ts'
import { queuePlans } from './queues.ts'

const server = inject('databaseServer')

/** The statements of docs/operations/database.md, with this test's roles and database. */
async function documented(database = `studio_${randomBytes(6).toString('hex')}`) {
  const [, section = ''] = (await readFile('docs/operations/database.md', 'utf8')).split(
    '### A role that may not change the schema',
  )
  const [fresh = '', used = ''] = section.match(/(?<=```sql\n)[^`]+/g) ?? []
  const own = randomBytes(6).toString('hex')
  const renamed = (text: string) =>
    text
      .replaceAll('studio_site', `site_${own}`)
      .replaceAll('studio_owner', `owner_${own}`)
      .replaceAll('database studio', `database ${database}`)
  const [asSuperuser = '', connected = ''] = renamed(fresh).split(/-- connected.*\n/)
  const urlOf = (role: string, password: string) => {
    const url = new URL(databaseUrl(server, database))
    return Object.assign(url, { username: `${role}_${own}`, password }).href
  }
  return {
    database,
    roles: [`site_${own}`, `owner_${own}`],
    asSuperuser: asSuperuser.split(';').filter((statement) => statement.trim()),
    connected,
    used: renamed(used),
    site: urlOf('site', 'another'),
    owner: urlOf('owner', 'one'),
  }
}

async function runStatements(url: string, ...statements: string[]) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

test('serves a new database as a role that may not change the schema, while another role migrates', async () => {
  const { database, roles, asSuperuser, connected, site, owner } = await documented()
  await runStatements(server, ...asSuperuser)
  onTestFinished(() =>
    runStatements(server, `drop database ${database} with (force)`, ...roles.map((role) => `drop role ${role}`)),
  )
  await runStatements(databaseUrl(server, database), connected)

  const without = await migrateDatabase(site).catch((error) => error)
  expect(without.message).toContain('permission denied')

  const settings = { ...LIVE, DATA_DIR: await dataFolder(), PORT: '0' }
  const process = runMain({ ...settings, DATABASE_URL: site, MIGRATION_DATABASE_URL: owner })
  await process.waitForOutput('The studio is open at')
  const origin = /open at (\S+)/.exec(process.output())?.[1] ?? ''
  const ana = new Person(origin, 'Ana')
  const names = { firstName: 'Ana', lastName: 'Cast' }
  const registered = await ana.request('POST', '/api/register', { email: ana.email, password: ana.password, ...names })
  expect(registered.status).toBe(201)
  // The mail server is down: the job was fetched and put back.
  const retried = async () => {
    const client = new pg.Client({ connectionString: site })
    await client.connect()
    const { rows } = await client.query(`select state from pgboss.job where name = 'mail'`)
    await client.end()
    return rows
  }
  await expect.poll(retried, { timeout: 60_000 }).toEqual([{ state: 'retry' }])
  process.child.kill('SIGTERM')
  expect(await process.ended).toBe(0)

  expect(await migrateDatabase(site)).toEqual([]) // nothing to do
  await expect(runStatements(site, 'create table mine ()')).rejects.toThrow('permission denied for schema public')
  await expect(runStatements(site, 'alter table users add column mine text')).rejects.toThrow('must be owner')
})

test('serves a used database after its grants, including every job', async () => {
  // Live, because the demo's sandbox creates its own schema.
  const { studio, ana, dora } = await openStudio({ env: LIVE })
  const own = new URL(studio.settings.databaseUrl as string).pathname.slice(1)
  const { roles, asSuperuser, used, site } = await documented(own)
  await runStatements(server, ...asSuperuser.filter((statement) => statement.includes('create role')))
  onTestFinished(async () => {
    await runStatements(studio.settings.databaseUrl as string, ...roles.map((role) => `drop owned by ${role}`))
    await runStatements(server, ...roles.map((role) => `drop role ${role}`))
  })
  await runStatements(studio.settings.databaseUrl as string, used)
  const duo = await studio.createClass('Tuesday 18:00')

  const { server: limited, loggedInAs } = await studio.startSecondProcess({ databaseUrl: site })
  const booked = await loggedInAs(ana).book(duo)
  expect(booked.status).toBe(201)
  expect((await loggedInAs(ana).cancel(booked.body.id)).status).toBe(200)
  expect((await loggedInAs(dora).request('GET', '/api/admin/analytics')).status).toBe(200)
  expect((await loggedInAs(ana).request('GET', '/api/user/export')).status).toBe(200)
  for (const queue of keysOf(queuePlans)) {
    if (queuePlans[queue].cron) await limited.workers[queue]({} as never, 'by hand')
  }
  expect(await studio.count("select count(*) from pgboss.job where name = 'mail'")).toBeGreaterThan(3)
  expect(studio.faults()).toBe('')
})
