import type { Gets, WeekSetup } from './drivers/get-week.ts'
import { startDriver } from './lib/driver.ts'
import { addBookings, addClasses, addMembers, FIRST_DAY, fill } from './lib/fill.ts'
import { newSecrets, startLiveSite } from './lib/live-site.ts'
import { type OwnPostgres, runSql } from './lib/own-postgres.ts'
import { alternate, type Comparison } from './lib/rounds.ts'

const AT_ONCE = 8
/** Many and short: a busy second of the machine then spoils one round, not a third of them. */
const ROUNDS = 31
const WARM_UP = 6
/** Of requests in a round and side. */
const A_ROUND = 150
/** 50,000 classes in ten years are 96 a week; the short history has as many a week, so both answers are alike. */
const TEN_YEARS = { days: 3572, aDay: 14 }
const EIGHT_WEEKS = { days: 56, aDay: 14 }
const MEMBERS = 500

/**
 * The public list of one week's classes with eight weeks of classes in the database and with ten years of them
 * (50,000 classes, 100,000 bookings). The ratio is the cost with ten years over the cost with eight weeks.
 */
export async function measureWeekList(postgres: OwnPostgres): Promise<Comparison> {
  const long = await openSide(postgres, 'ten_years', TEN_YEARS)
  const short = await openSide(postgres, 'eight_weeks', EIGHT_WEEKS)
  try {
    await bothAnswerAlike(long.url, short.url)
    await alternate(WARM_UP, long.get, short.get)
    return await alternate(ROUNDS, long.get, short.get)
  } finally {
    await short.stop()
    await long.stop()
  }
}

/** A site of its own with so much history around the week that is asked for, the fourth of its classes. */
async function openSide(postgres: OwnPostgres, name: string, history: { days: number; aDay: number }) {
  const databaseUrl = await postgres.database(name)
  const secrets = newSecrets()
  await fill(databaseUrl, async (client) => {
    const from = FIRST_DAY.subtract({ days: history.days - EIGHT_WEEKS.days }).toString()
    await addMembers(client, MEMBERS, secrets)
    await addClasses(client, { ...history, from })
    await addBookings(client)
  })
  await holdsWhatItShould(databaseUrl, history.days * history.aDay)
  const site = await startLiveSite({ name, databaseUrl, folder: postgres.folder, secrets })
  const [from, to] = [FIRST_DAY.add({ weeks: 3 }).toString(), FIRST_DAY.add({ weeks: 3, days: 6 }).toString()]
  const driver = await startDriver<WeekSetup, Gets>('get-week', { origin: site.origin, from, to, atOnce: AT_ONCE })
  return {
    url: `${site.origin}/api/classes?from=${from}&to=${to}`,
    get: () => driver.run({ times: A_ROUND }),
    async stop() {
      await driver.stop()
      await site.stop()
    },
  }
}

async function holdsWhatItShould(databaseUrl: string, classes: number): Promise<void> {
  const counts =
    'select (select count(*) from classes)::int as classes, (select count(*) from bookings)::int as bookings'
  const { rows } = await runSql(databaseUrl, counts)
  if (rows[0].classes !== classes || rows[0].bookings !== 2 * classes) {
    throw new Error(`wanted ${classes} classes with two bookings each, the database holds ${JSON.stringify(rows[0])}`)
  }
}

/** The same week from both: as many classes, all full. Only the history differs. */
async function bothAnswerAlike(...urls: string[]): Promise<void> {
  for (const url of urls) {
    const classes = (await (await fetch(url)).json()) as { bookedCount: number }[]
    const isRight = classes.length === 7 * EIGHT_WEEKS.aDay && classes.every(({ bookedCount }) => bookedCount === 2)
    if (!isRight) throw new Error(`the week's list holds ${classes.length} classes`)
  }
}
