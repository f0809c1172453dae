import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { AUDITED } from '#audit/contract.ts'
import { differences, recordAdminChange } from '#audit/server/audit.ts'
import { toPence } from '#foundation/amounts.ts'
import { fold } from '#foundation/fold.ts'
import { studioDate } from '#foundation/instants.ts'
import { toDecimal } from '#foundation/money.ts'
import { commonRefusals, refuse, refuseField } from '#foundation/refusal.ts'
import { pictureRefusals } from '#pictures/contract.ts'
import { PLACES } from '#pictures/rules.ts'
import { picturesForShare } from '#pictures/server/pictures.ts'
import { RetryTransaction, type Tx } from '#platform/database/database.ts'
import {
  type editStudio,
  factsRefusals,
  type OwnPictures,
  type StudioFacts,
  type Vat,
  type VatPeriod,
} from '../contract.ts'
import type { Timetable } from '../contract-timetable.ts'
import { teacherNames, vatOn } from '../rules.ts'
import { completeTimetables } from '../rules-timetable.ts'
import { studioFacts } from '../tables.ts'
import { type FactsVersion, latestFacts } from './facts.ts'

type Edit = z.output<typeof editStudio.body>

/** Saves facts as a new version, if anything changes. A new address without coordinates loses the old, wrong ones. */
export async function editFacts(
  tx: Tx,
  admin: { id: string },
  { ifVersion, address, prices, vat, vatPeriods, timetables, pictures, teachers, ...edit }: Edit,
  now: Temporal.Instant,
): Promise<FactsVersion> {
  const before = await latestFacts(tx)
  if (ifVersion != null && ifVersion !== before.version) refuse(commonRefusals.edit_conflict)
  const given = Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined))
  const facts: StudioFacts = {
    ...before.facts,
    ...given,
    ...(address && { address: located(before.facts.address, address) }),
    ...(prices && {
      prices: { price: toDecimal(toPence(prices.price)), passPrice: toDecimal(toPence(prices.passPrice)) },
    }),
    ...(timetables && { timetables: completeTimetables(timetables) }),
    ...(pictures && { pictures: await uploaded(tx, pictures) }),
    ...(teachers && { teachers: await withPortraits(tx, teachers) }),
    vatPeriods: vatPeriods?.toSorted(byDay) ?? vatFrom(studioDate(now).toString(), vat, before.facts.vatPeriods),
  }
  refuseSharedName(facts)
  const changes = differences(AUDITED.studio, auditFields(before.facts), auditFields(facts))
  if (Object.keys(changes).length === 0) return before
  const version = before.version + 1
  const made = await tx
    .insert(studioFacts)
    .values({ version, facts, adminId: admin.id, changedAt: now })
    .onConflictDoNothing()
    .returning({ version: studioFacts.version })
  if (made.length === 0) throw new RetryTransaction('another admin edited the facts')
  await recordAdminChange(tx, admin, { action: 'edited', subject: { kind: 'studio', id: 'facts' }, changes }, now)
  return { facts, version, changedAt: now }
}

const byDay = (a: VatPeriod, b: VatPeriod) => a.from.localeCompare(b.from)

/** The periods with a registration from a day on; unchanged if none is given or it already applies. */
function vatFrom(day: string, vat: Vat | null | undefined, periods: VatPeriod[]): VatPeriod[] {
  if (vat === undefined || isDeepStrictEqual(vat, vatOn(periods, day))) return periods
  return [...periods.filter(({ from }) => from !== day), { from: day, vat }].toSorted(byDay)
}

/** The given pictures as they were uploaded, for their own places, in the order of the places. */
async function uploaded(tx: Tx, given: NonNullable<Edit['pictures']>): Promise<OwnPictures> {
  const found = await picturesForShare(
    tx,
    Object.values(given).map(({ id }) => id),
  )
  const own: OwnPictures = {}
  for (const place of PLACES) {
    const chosen = given[place]
    if (!chosen) continue
    const picture = found.get(chosen.id)
    if (picture?.place !== place) refuse(pictureRefusals.picture_not_found)
    const { place: _, ...rest } = picture
    own[place] = { ...rest, alt: chosen.alt.trim() }
  }
  return own
}

/** A class and an account name their teacher, so two teachers are never called the same. */
function refuseSharedName(facts: StudioFacts): void {
  const names = teacherNames(facts).map(fold)
  const shared = names.findIndex((name, place) => names.indexOf(name) < place)
  if (shared > 0) refuseField(factsRefusals.teachers_share_a_name, `teachers.${shared - 1}.name`)
}

/** Teachers with their portraits as they were uploaded. */
async function withPortraits(tx: Tx, given: NonNullable<Edit['teachers']>): Promise<StudioFacts['teachers']> {
  const found = await picturesForShare(
    tx,
    given.flatMap(({ portrait }) => portrait?.id ?? []),
  )
  return given.map(({ portrait, ...teacher }) => {
    if (!portrait) return { ...teacher, portrait: null }
    const picture = found.get(portrait.id)
    if (picture?.place !== 'portrait') refuse(pictureRefusals.picture_not_found)
    const { place: _, ...uploadedPortrait } = picture
    return { ...teacher, portrait: uploadedPortrait }
  })
}

function located(before: StudioFacts['address'], given: NonNullable<Edit['address']>): StudioFacts['address'] {
  const { latitude, longitude, ...words } = given
  const hasMoved = Object.entries(words).some(([key, word]) => before[key as keyof typeof words] !== word)
  const known = hasMoved ? { latitude: null, longitude: null } : before
  return {
    ...words,
    latitude: latitude === undefined ? known.latitude : latitude,
    longitude: longitude === undefined ? known.longitude : longitude,
  }
}

/** The facts as fields of the audit log. */
function auditFields(facts: StudioFacts): {
  [F in Exclude<(typeof AUDITED.studio)[number], 'ownCalendar'>]: string | null
} {
  const { address, visit, hours, notice, prices, instructor, teachers, policies, social, legal, pictures } = facts
  const open = (day: keyof typeof hours) => {
    const times = hours[day]
    return times && `${times.opens} - ${times.closes}`
  }
  const { street, town, county, postcode, latitude, longitude } = address
  const { name: teacher, ...teaching } = instructor
  return {
    name: facts.name,
    address: `${street}, ${town}, ${county} ${postcode}`,
    place: latitude === null || longitude === null ? null : `${latitude}, ${longitude}`,
    phone: facts.phone,
    email: facts.email,
    ownerEmail: facts.ownerEmail,
    ...visit,
    access: facts.access,
    textsPerMonth: String(facts.texts.monthlyLimit),
    Monday: open('Monday'),
    Tuesday: open('Tuesday'),
    Wednesday: open('Wednesday'),
    Thursday: open('Thursday'),
    Friday: open('Friday'),
    Saturday: open('Saturday'),
    Sunday: open('Sunday'),
    timetable: facts.timetables.map(timetableInWords).join('; '),
    notice: notice && (notice.until ? `${notice.text} (until ${notice.until})` : notice.text),
    ...prices,
    social: social && `${social.name}: ${social.url}`,
    reviewUrl: facts.reviewUrl,
    legal: legal && Object.values(legal).join(', '),
    teacher,
    ...teaching,
    teachers: teachers.map(teacherInWords).join('; ') || null,
    pictures:
      PLACES.flatMap((place) => {
        const picture = pictures[place]
        return picture ? [`${place}: ${picture.alt} (${picture.id.slice(0, 6)})`] : []
      }).join('; ') || null,
    vat:
      facts.vatPeriods
        .map(({ from, vat }) => `${vat ? `${vat.number}, ${vat.rate}%` : 'not registered'} from ${from}`)
        .join('; ') || null,
    ...policies,
    voucherTerms: facts.voucherTerms,
  }
}

/** `Jo Hart, Teacher, with a portrait (3f2a1b)`. */
function teacherInWords({ name, role, text, portrait }: StudioFacts['teachers'][number]): string {
  const picture = portrait ? `with a portrait (${portrait.id.slice(0, 6)})` : ''
  return [name, role, picture, text].filter(Boolean).join(', ')
}

/** `From 2027-01-04: Monday 09:30 to 10:15, Friday 08:00 to 08:45 (one-on-one)`. */
function timetableInWords({ from, slots }: Timetable): string {
  const classes = slots.map(({ day, startTime, endTime, maxParticipants, instructorName }) =>
    [
      `${day} ${startTime} to ${endTime}`,
      maxParticipants === 1 ? ' (one-on-one)' : '',
      instructorName ? ` with ${instructorName}` : '',
    ].join(''),
  )
  return `From ${from}: ${classes.join(', ') || 'no classes'}`
}
