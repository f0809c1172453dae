/**
 * The owner's one file: who the studio is, when it is open, what its policies are.
 * Everything the site says about itself is read from here. The studio is fictional:
 * the phone number comes from the range reserved for drama, the domain from `.example`.
 */
export const studio = {
  name: 'Aldergate Pilates',
  /** Dates and times are wall time here; instants are UTC. */
  timeZone: 'Europe/London',
  /** How money and numbers are written, and what everything costs (ISO 4217). */
  locale: 'en-GB',
  currency: 'GBP',
  town: 'Harrogate',
  county: 'North Yorkshire',
  address: {
    street: '7 Aldergate Mews',
    town: 'Harrogate',
    county: 'North Yorkshire',
    postcode: 'HG1 2ZZ',
    country: 'GB',
    latitude: 53.9919,
    longitude: -1.5412,
  },
  phone: '01632 960147',
  email: 'hello@aldergate.example',
  /** Told about refunds that need a look and about health information that was saved. */
  ownerEmail: 'owner@aldergate.example',
  social: { name: 'Instagram', url: 'https://www.instagram.com/aldergate.example' },
  instructor: {
    name: 'Eleanor Marsh',
    role: 'Lead instructor',
    /** No more than there is a certificate for. */
    background: 'Trained reformer teacher; taught full classes in larger studios first',
  },
  /** For somebody who is on the way. */
  visit: {
    arriveMinutes: 5,
    door: 'The green door at the end of the mews. Ring the bell. There is one step; if that is a trouble, call us beforehand.',
    parking:
      'None in the mews. The streets around are disc zones, and shops in town give the discs away; allow ten minutes.',
    transport:
      'Railway and bus station are a few minutes on foot: trains from Leeds and York, buses from Leeds, Ripon and Knaresborough.',
  },
  hours: [
    { days: 'Monday to Friday', opens: '10:00', closes: '20:00' },
    { days: 'Saturday', opens: '08:00', closes: '13:00' },
    { days: 'Sunday', opens: null, closes: null },
  ],
  session: {
    /** Minutes. A class whose end is not after its start counts as ending this long after it. */
    minutes: 45,
    /** Whole pence, for classes made without a price. */
    price: 65_00,
    passPrice: 50_00,
    /** Said wherever a price or a pass stands. */
    credit: 'One credit is one place for one person; in a duo, a companion books the other place.',
  },
  policies: {
    /** In these last minutes before the start a cancelled place costs its credit; exactly this long before is already late. */
    lateCancellationMinutes: 120,
    /** A pass to which an admin gives a credit back is valid for at least this long from then on. */
    goodwillDays: 14,
    /** The notice the studio asks for (refund policy). */
    noticeHours: 12,
    /**
     * A place freed at least this many hours before the start is given to the first in line; later everybody in line
     * is told and the first to book gets it.
     */
    waitingListHours: 12,
    /** Hours before the start at which members are reminded of their class. */
    reminderHours: 24,
    /** Days in which an unused pass can be refunded. */
    refundDays: 14,
    /**
     * Percent kept back from a refund. The Consumer Contracts Regulations 2013 make a deduction
     * inside the 14-day cooling-off period doubtful: take advice before relying on it.
     */
    refundFeePercent: 10,
    /**
     * Days in which a consumer may cancel a contract made online without saying why (Consumer Contracts Regulations
     * 2013, regulation 30). The law's number, not the studio's: receipts say it.
     */
    coolingOffDays: 14,
    /** Business days in which a refund arrives (refund policy). */
    refundArrivesBusinessDays: 7,
    /** How long things are kept (privacy policy); the daily job erases what is over. */
    retention: {
      /** After the last class, or after signing up where there was none. */
      contactYears: 2,
      /** After the last class or the last save, whichever is later. */
      healthMonths: 6,
      financialYears: 6,
      /** Who read health information, what admins changed. */
      recordMonths: 12,
      /** So many nightly backups are kept. */
      backupNights: 7,
      /** An email that no server took waits so long for the owner. */
      undeliveredDays: 90,
    },
    /** A pass that gets a credit back because the studio cancelled stays valid at least this many days. */
    studioCancellationGraceDays: 14,
  },
  /** The built-in weekly timetable; every session is a duo of 45 minutes. */
  timetable: {
    Monday: ['09:30', '11:30'],
    Tuesday: ['12:00', '13:00'],
    Wednesday: ['09:30', '12:00'],
    Thursday: [],
    Friday: ['07:00', '08:00', '09:00', '10:00'],
    Saturday: ['07:00'],
    Sunday: [],
  },
} as const satisfies Studio

type Studio = {
  hours: readonly { days: string; opens: string | null; closes: string | null }[]
  timetable: Record<string, readonly string[]>
  [fact: string]: unknown
}
