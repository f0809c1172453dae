// What other server code may call of this part.

import { and, count, eq, gt, gte, min } from 'drizzle-orm'
import { recordAdminChange } from '#audit/server/audit.ts'
import { addressLine, legalLines, ownerOf, type SetUpItemName } from '#facts/rules.ts'
import { hoursInWords } from '#facts/rules-hours.ts'
import { timetableOn } from '#facts/rules-timetable.ts'
import { confirmedItems, confirmItem, currentFacts } from '#facts/server/facts.ts'
import { many } from '#foundation/collections.ts'
import { formatDay } from '#foundation/dates.ts'
import { formatInstant, studioDate } from '#foundation/instants.ts'
import { formatMoney, toDecimal } from '#foundation/money.ts'
import { refuse } from '#foundation/refusal.ts'
import { queueMail } from '#messages/server/messages.ts'
import { packagesBySize } from '#packages/server/packages.ts'
import { lastBackup } from '#platform/database/backup/records.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { initialFacts } from '#studio.ts'
import { classes } from '#timetable/tables.ts'
import { type SetUp, type SetUpItem, setUpRefusals } from '../contract.ts'

/** What the settings of the process say. */
export type Site = { mode: 'demo' | 'live'; takesCards: boolean }

const settings = (place: string) => ({ label: 'Open the settings', path: `/admin?view=settings#${place}` })

/** The set-up list; nothing in a demo and once it was put away. */
export async function setUpNow(reader: Reader, site: Site, now: Temporal.Instant): Promise<SetUp> {
  const confirmed = await confirmedItems(reader)
  if (site.mode === 'demo' || confirmed.has('finished')) return { items: [], done: 0 }
  const items = (await findings(reader, site, now)).map(({ isSeen = false, isReady = true, ...rest }): SetUpItem => {
    const isDone = isSeen || confirmed.has(rest.item)
    return { ...rest, isDone, action: actionOf(rest.item, { isReady, isDone }) }
  })
  return { items, done: items.filter(({ isDone }) => isDone).length }
}

function actionOf(item: SetUpItem['item'], { isReady, isDone }: { isReady: boolean; isDone: boolean }) {
  if (!isReady) return null
  if (item === 'test_email') return 'send'
  return isDone ? null : 'confirm'
}

/** `isSeen`: done without a confirmation. `isReady`: false while there is nothing to confirm. */
type Finding = Pick<SetUpItem, 'item' | 'title' | 'text' | 'link'> & { isSeen?: boolean; isReady?: boolean }

async function findings(reader: Reader, site: Site, now: Temporal.Instant): Promise<Finding[]> {
  const facts = await currentFacts(reader)
  const { name, instructor, address, visit, phone, email, ownerEmail, legal, hours, timetables } = facts
  const day = studioDate(now).toString()
  const timetable = timetableOn(timetables, day) ?? timetables[0]
  const onSale = await packagesBySize(reader, { includeHidden: false }, now)
  const cheapest = Math.min(...onSale.map(({ pricePence }) => pricePence))
  // By date too, which has an index.
  const [ahead] = await reader
    .select({ count: count(), first: min(classes.date) })
    .from(classes)
    .where(and(gte(classes.date, day), eq(classes.isActive, true), gt(classes.startsAt, now)))
  const backup = await lastBackup(reader)
  return [
    {
      item: 'name',
      title: 'Studio and teacher',
      ...orExamples(`${name}, taught by ${instructor.name}.`, [
        [name, name === initialFacts.name],
        [instructor.name, instructor.name === initialFacts.instructor.name],
        ['the story', instructor.story === initialFacts.instructor.story],
      ]),
      link: settings('name'),
    },
    {
      item: 'address',
      title: 'Address',
      ...orExamples(`${addressLine(address)}.`, [
        [addressLine(address), address.street === initialFacts.address.street],
        ['the position on the map', address.latitude === initialFacts.address.latitude],
        ['the door', visit.door === initialFacts.visit.door],
        ['parking', visit.parking === initialFacts.visit.parking],
        ['train and bus', visit.transport === initialFacts.visit.transport],
      ]),
      link: settings('contact'),
    },
    {
      item: 'contact',
      title: 'Contact',
      ...orExamples(`${phone}, ${email}. Notifications go to ${ownerEmail}.`, [
        [phone, phone === initialFacts.phone],
        [email, email === initialFacts.email],
        [`your own email ${ownerEmail}`, ownerEmail === initialFacts.ownerEmail],
      ]),
      link: settings('phone'),
    },
    {
      item: 'legal',
      title: 'Who runs the studio',
      text: legal
        ? `${legalLines(facts).join('. ')}.`
        : 'The law asks for this on your website, in emails and on receipts.',
      isSeen: legal !== null,
      isReady: false,
      link: settings('legal'),
    },
    {
      item: 'hours',
      title: 'Opening hours',
      text: `${hoursInWords(hours)
        .map(({ days, times }) => `${days} ${times ?? 'closed'}`)
        .join(', ')}.`,
      link: settings('hours'),
    },
    {
      item: 'timetable',
      title: 'Weekly timetable',
      text: timetable ? `${many(timetable.slots.length, 'class', 'classes')} a week.` : 'No classes yet.',
      link: { label: 'Open Timetable', path: '/admin?tab=Classes&open=timetable' },
    },
    {
      item: 'packages',
      title: 'Packages and prices',
      text:
        onSale.length > 0
          ? `${many(onSale.length, 'package')} on sale, from ${formatMoney(toDecimal(cheapest))}.`
          : 'Nothing is on sale yet.',
      isReady: onSale.length > 0,
      link: { label: 'Open Packages', path: '/admin?tab=Packages' },
    },
    {
      item: 'term',
      title: 'First term',
      text: ahead?.first
        ? `${many(ahead.count, 'class', 'classes')} from ${formatDay(ahead.first)}.`
        : 'No class is on the calendar yet.',
      isSeen: Boolean(ahead?.count),
      isReady: false,
      link: { label: 'Fill the calendar', path: '/admin?tab=Classes&open=term' },
    },
    {
      item: 'card_payments',
      title: 'Card payments',
      text: site.takesCards
        ? 'Set up: members can pay by card.'
        : 'Not set up: members can only pay at the studio. The person who looks after the server sets the STRIPE_ keys. Confirm if you do not want cards.',
      isSeen: site.takesCards,
      link: null,
    },
    {
      item: 'test_email',
      title: 'Test email',
      text:
        ownerEmail === initialFacts.ownerEmail
          ? 'First enter your own email under Address and contact.'
          : `Sends an email to ${ownerEmail}. The item is done once the mail server has accepted it.`,
      isReady: ownerEmail !== initialFacts.ownerEmail,
      link: settings('ownerEmail'),
    },
    {
      item: 'backup',
      title: 'A backup kept elsewhere',
      text: backup.made
        ? `The last backup was made on ${formatInstant(backup.made.endedAt.toString())}. Confirm once copies are kept on another machine.`
        : 'A backup is made every night. Confirm once copies are kept on another machine.',
      link: null,
    },
  ]
}

/** The text of an item, or what still shows the example; then there is nothing to confirm. */
function orExamples(text: string, facts: [words: string, isExample: boolean][]) {
  const examples = facts.filter(([, isExample]) => isExample).map(([words]) => words)
  return examples.length === 0 ? { text } : { text: `Still the example: ${examples.join(', ')}.`, isReady: false }
}

/** Confirms an item, sends the test email, or puts a list away on which everything is done. */
export async function confirmSetUp(
  tx: Tx,
  admin: { id: string },
  item: SetUpItemName,
  site: Site,
  now: Temporal.Instant,
): Promise<SetUp> {
  const { items, done } = await setUpNow(tx, site, now)
  if (items.length === 0) return { items, done }
  if (item === 'test_email') {
    if (!items.some(({ action }) => action === 'send')) refuse(setUpRefusals.not_ready_to_confirm)
    await queueMail(tx, 'test-email', { to: ownerOf(await currentFacts(tx)) })
    return { items, done }
  }
  const listed = items.find((one) => one.item === item)
  const isReady = item === 'finished' ? done === items.length : listed?.isDone || listed?.action === 'confirm'
  if (!isReady) refuse(setUpRefusals.not_ready_to_confirm)
  if (listed?.isDone) return { items, done }
  await confirmItem(tx, item, admin.id, now)
  await recordAdminChange(tx, admin, { action: 'confirmed', subject: { kind: 'studio', id: `set-up ${item}` } }, now)
  return await setUpNow(tx, site, now)
}
