import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Person } from '#testing/person.ts'
import { demoClass, post } from '../lib/demo-member.ts'
import type { Tab } from './tab.ts'

const PUBLIC = ['/', '/about', '/harrogate-reformer-pilates-classes', '/pricing', '/blog', '/terms-and-conditions']
const PASSWORD = 'six-or-more'
const CARDS = { paid: '4242424242424242', declined: '4000000000000002', secure: '4000002760003184' }

/** What a walk needs that is made over HTTP: its classes are at an hour of its own, on days that are not too near. */
export type Walk = { admin: Person; holder: Person; hour: number; name: string; folder: string }

const dayOf = (walk: Walk, days: number) => {
  const date = Temporal.Now.plainDateISO('Europe/London').add({ days })
  const name = new RegExp(`${date.toLocaleString('en-GB', { weekday: 'short' })}\\s*${date.day}`)
  return {
    iso: date.toString(),
    name,
    make: (title: string, places = 2) => demoClass(walk.admin, title, date.toString(), walk.hour, places),
  }
}

/** The steps of a member and of the owner; each is named when it fails. */
export function mainPath(tab: Tab, walk: Walk): Record<string, () => Promise<void>> {
  const { name } = walk
  const [first, second, third, fourth] = [2, 3, 4, 5].map((days) => dayOf(walk, days)) as [Day, Day, Day, Day]
  const email = `${name.toLowerCase()}@people.example`
  return {
    'public pages': async () => {
      for (const path of PUBLIC) await tab.open(path)
    },
    'sign-up': async () => {
      await tab.open('/auth?tab=register')
      await fill(tab, { Email: email, 'First name': name, 'Last name': 'Stranger' })
      await fill(tab, { Password: PASSWORD, 'Confirm password': PASSWORD })
      await tab.press('button', /^Create Account/)
      await tab.see(new RegExp(`Hello, ${name}`))
    },
    health: () => completeHealth(tab),
    'checkout with a declined card and a paid one': async () => {
      await choosePackage(tab, '8 Class Pass')
      await pay(tab, CARDS.declined)
      await tab.see(/Payment Failed/)
      await choosePackage(tab, '8 Class Pass')
      await pay(tab, CARDS.paid)
      await tab.see(/Thank You for Your Purchase!/)
    },
    'checkout with 3-D Secure': async () => {
      await choosePackage(tab, 'Single Session')
      await pay(tab, CARDS.secure)
      await tab.press('button', /^Complete authentication/)
      await tab.see(/Thank You for Your Purchase!/)
    },
    book: async () => {
      await first.make(`Dawn ${name}`)
      await second.make(`Dusk ${name}`)
      await tab.open(`/booking?date=${first.iso}`)
      await tab.press('button', new RegExp(`^Book Dawn ${name}`))
      await confirm(tab)
    },
    'waiting list': async () => {
      const { id } = await third.make(`Full ${name}`, 1)
      await post(walk.holder, '/api/bookings', { classId: id })
      await tab.open(`/booking?date=${third.iso}`)
      await tab.press('button', new RegExp(`^Waiting list for Full ${name}`))
      await tab.press('button', /^Join waiting list/)
      await tab.see(/On the Waiting List/)
    },
    companion: async () => {
      await fourth.make(`Duo ${name}`)
      await tab.open(`/booking?date=${fourth.iso}`)
      await tab.press('button', new RegExp(`^Book Duo ${name}`))
      await tab.press('button', /^Book for two/)
      await fill(tab, {
        'Their first name': 'Bart',
        'Their last name': 'Stone',
        'Their email address': `bart.${email}`,
      })
      await confirm(tab)
      await tab.open('/dashboard')
      await tab.see(/Place held for Bart until/)
    },
    move: async () => {
      await tab.press('button', new RegExp(`^Reschedule Dawn ${name}`))
      await tab.press('button', second.name)
      await tab.press('button', new RegExp(`Dusk ${name} at`))
      await tab.press('button', /^Move booking/)
      await tab.see(/Booking Moved/)
    },
    'cancel and undo': async () => {
      await tab.press('button', new RegExp(`^Cancel Dusk ${name}`))
      await tab.press('button', new RegExp(`^Undo cancelling Dusk ${name}`))
      await tab.see(/Booking Restored/)
      await tab.press('button', new RegExp(`^Cancel Dusk ${name}`))
      await tab.see(/Booking cancelled successfully/)
    },
    download: async () => {
      await tab.open('/dashboard')
      await tab.press('button', /^Receipts/)
      await tab.download(/^Receipt .* as PDF/, /^receipt-.*\.pdf$/)
    },
    'the owner’s day': async () => {
      await tab.forget()
      await tab.open('/auth')
      await fill(tab, { Username: 'admin@studio.example', Password: 'studio-admin' })
      await tab.press('button', /^Login$/)
      await tab.seeAddress(/^\/dashboard/)
      await tab.open('/admin')
      await tab.see(/Today/)
      await tab.see(/Tomorrow/)
    },
    'a class and a series': async () => {
      await createClass(tab, `One ${name}`, walk.hour)
      await createClass(tab, `Each ${name}`, walk.hour, 'Weekly')
    },
    'an import': async () => {
      const file = join(walk.folder, 'members.csv')
      await writeFile(file, `First name,Last name,Email,Credits\r\nUna,Lind,una.${email},3`)
      await tab.open('/admin?tab=Users')
      await tab.press('link', /^Import/)
      await tab.chooseFile(/^CSV file/, file)
      await tab.press('button', /^Import$/)
      await tab.see(/1 member added, 3 credits on 1 pass/)
    },
  }
}

type Day = ReturnType<typeof dayOf>

async function fill(tab: Tab, fields: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await tab.fill(new RegExp(`^${label}`), text)
}

async function completeHealth(tab: Tab): Promise<void> {
  await tab.open('/health')
  await tab.press('button', /^Complete Questionnaire/)
  await fill(tab, { Allergies: 'None that I know of' })
  await tab.press('button', /^Next/)
  await tab.see(/Fitness level/)
  await tab.press('button', /^Next/)
  await fill(tab, { 'Emergency contact name': 'Sam Stranger', Relationship: 'Partner', Phone: '01632 960 199' })
  await tab.press('button', /^Next/)
  await tab.press('box', /^I confirm that my answers are true/)
  await tab.press('box', /^I consent to the studio processing/)
  await tab.press('button', /^Complete Questionnaire/)
  await tab.see(/Health information saved/)
}

async function choosePackage(tab: Tab, name: string): Promise<void> {
  await tab.open('/pricing')
  await tab.press('button', new RegExp(`^Select Package.*${name}`))
  await tab.seeAddress(/^\/checkout\?/)
}

async function pay(tab: Tab, card: string): Promise<void> {
  await fill(tab, { 'Card number': card, Expiry: '1234', CVC: '123', 'Name on card': 'A Stranger' })
  await tab.press('button', /^Complete Payment/)
}

async function confirm(tab: Tab): Promise<void> {
  await tab.press('box', /cancellation policy/)
  await tab.press('box', /terms and conditions/)
  await tab.press('button', /^Confirm Booking/)
  await tab.see(/Booking Confirmed/)
}

/** On a day where no other step has a class. @param often repeats it for two weeks */
async function createClass(tab: Tab, title: string, hour: number, often?: string): Promise<void> {
  const date = Temporal.Now.plainDateISO('Europe/London').add({ days: often ? 7 : 6 })
  await tab.open('/admin?tab=Classes')
  await tab.press('button', /^Create Class/)
  await fill(tab, { Title: title })
  await chooseDay(tab, /^Date/, date)
  await fill(tab, { 'Start time': `${String(hour).padStart(2, '0')}05` })
  if (often) {
    await tab.press('box', /^Repeat this class/)
    await tab.choose(/^How often/, often)
    await chooseDay(tab, /^Repeat until/, date.add({ weeks: 2 }))
  }
  await tab.press('button', /^Create Class/)
  await tab.see(/Class created successfully/)
}

async function chooseDay(tab: Tab, field: RegExp, date: Temporal.PlainDate): Promise<void> {
  await tab.press('button', field)
  const month = date.toLocaleString('en-GB', { month: 'long' })
  const day = new RegExp(` ${date.day} ${month} ${date.year}`)
  const next = /^Go to the Next Month/
  await tab.find('button', next)
  if (!(await tab.has('button', day))) await tab.press('button', next)
  await tab.press('button', day)
}
