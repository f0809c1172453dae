import type { WEEKDAYS } from '#foundation/dates.ts'
import { initialFacts } from '#studio.ts'

/** The accounts that the start prints. */
export const demoAccounts = [
  { what: 'Admin', email: 'admin@studio.example', password: 'studio-admin' },
  { what: 'Member', email: 'member@studio.example', password: 'studio-member' },
] as const

/** The member whose account is printed. */
export const demoMember = { firstName: 'Imogen', lastName: 'Hartley', joinedWeeksAgo: 7 }

/** Sample members. Nobody knows their passwords. */
export const sampleMembers = [
  { firstName: 'Alice', lastName: 'Thackray', joinedWeeksAgo: 8 },
  { firstName: 'Priya', lastName: 'Raman', joinedWeeksAgo: 8 },
  { firstName: 'Tom', lastName: 'Ainsley', joinedWeeksAgo: 8 },
  { firstName: 'Margaret', lastName: 'Oldroyd-Featherstonehaugh', joinedWeeksAgo: 7 },
  { firstName: 'Siân', lastName: 'Pryce', joinedWeeksAgo: 7 },
  { firstName: 'Daniel', lastName: 'Okafor', joinedWeeksAgo: 6 },
  { firstName: 'Jo', lastName: 'Lund', joinedWeeksAgo: 6 },
  { firstName: 'Hannah', lastName: 'Brearley', joinedWeeksAgo: 5 },
  { firstName: 'Zofia', lastName: 'Wiśniewska', joinedWeeksAgo: 4 },
  { firstName: 'Geoffrey', lastName: 'Metcalfe', joinedWeeksAgo: 3 },
  { firstName: 'Ruth', lastName: 'Abernathy', joinedWeeksAgo: 2 },
  { firstName: 'Callum', lastName: 'Dyson', joinedWeeksAgo: 1 },
] as const

/** Fills every field, with long words: what she is shown on must fit. */
export const longMember = {
  firstName: 'Wilhelmina-Theodora Alexandrina',
  lastName: 'Featherstonehaugh-Cholmondeley-Warner',
  username: 'wilhelmina.featherstonehaugh.cholmondeley.warner',
  email: 'wilhelmina-theodora.featherstonehaugh-cholmondeley-warner@a-long-name-of-a-company.example',
  phone: '+44 1632 960 188 extension 4711',
  joinedWeeksAgo: 9,
}

/** Has a phone number and a first name, and nothing else. */
export const shortMember = { firstName: 'Bo', lastName: '', phone: '01632 960177', email: null, username: null }

/** The weekly classes of the demo: duos, and one-on-ones between them. */
export const sampleClasses: { title: string; description: string; maxParticipants: 1 | 2; times: WeeklyTimes }[] = [
  {
    title: 'Reformer Pilates Duo',
    description: 'A 45-minute reformer session for up to two people.',
    maxParticipants: 2,
    times: initialFacts.timetables.flatMap(({ slots }) => slots.map(({ day, startTime }) => [day, startTime] as const)),
  },
  {
    title: 'Reformer Pilates One-on-One',
    description: 'A 45-minute reformer session with the teacher to yourself.',
    maxParticipants: 1,
    times: [
      ['Tuesday', '14:00'],
      ['Wednesday', '18:30'],
      ['Saturday', '09:30'],
    ],
  },
]
type WeeklyTimes = (readonly [day: (typeof WEEKDAYS)[number], startTime: string])[]

/** The demo's packages, with decimal prices. */
export const samplePackages = [
  {
    name: 'Single Session',
    description: 'One session, to use when it suits you',
    price: '65.00',
    classCount: 1,
    validityMonths: 1,
    isLimitedOffer: false,
    purchaseOncePerUser: false,
  },
  {
    name: 'Introductory Offer',
    description: 'Three sessions to get to know the reformer, once per person',
    price: '129.00',
    classCount: 3,
    validityMonths: 1,
    isLimitedOffer: true,
    purchaseOncePerUser: true,
  },
  {
    name: '4 Class Pass',
    description: 'A session a week for a month',
    price: '232.00',
    classCount: 4,
    validityMonths: 2,
    isLimitedOffer: false,
    purchaseOncePerUser: false,
  },
  {
    name: '8 Class Pass',
    description: null,
    price: '424.00',
    classCount: 8,
    validityMonths: 4,
    isLimitedOffer: false,
    purchaseOncePerUser: false,
  },
  {
    name: '12 Class Pass',
    description: 'For a steady practice through the seasons',
    price: '600.00',
    classCount: 12,
    validityMonths: 6,
    isLimitedOffer: false,
    purchaseOncePerUser: false,
  },
] as const
