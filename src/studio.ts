/**
 * What makes this studio this one, and does not change by the day: name, place, money, the numbers of its policies, which
 * are contract and legal text. What its owner changes in the site's settings begins as {@link beginning} says. The studio
 * is fictional: the phone number comes from the range reserved for drama, the domain from `.example`.
 */
export const studio = {
  name: 'Aldergate Pilates',
  /** In the names that calendars know bookings by, which stay for good. */
  domain: 'aldergate.example',
  /** Dates and times are wall time here; instants are UTC. */
  timeZone: 'Europe/London',
  /** How money and numbers are written, and what everything costs (ISO 4217). */
  locale: 'en-GB',
  currency: 'GBP',
  town: 'Harrogate',
  county: 'North Yorkshire',
  /** ISO 3166. */
  country: 'GB',
  social: { name: 'Instagram', url: 'https://www.instagram.com/aldergate.example' },
  instructor: {
    name: 'Eleanor Marsh',
  },
  /** So many minutes before the start members are asked to be there. */
  arriveMinutes: 5,
  session: {
    /** Minutes. A class whose end is not after its start counts as ending this long after it. */
    minutes: 45,
    /** Said wherever a price or a pass stands. */
    credit: 'One credit books one place. In a duo, your companion books their own.',
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
    /**
     * In these hours of the night no freed place is handed out: it waits until they end, as nobody reads email then. Only for
     * a class that starts before `earlyClass` on that morning everyone in line is emailed at once.
     */
    quietHours: { from: '22:00', until: '07:00', earlyClass: '10:00' },
    /** How long deleted classes and closed days can be undone; their emails wait until then. */
    undoSeconds: 60,
    /** Days for which the link of an invitation to set a password works. */
    invitationDays: 14,
    /** Days for which an email address that was changed is kept free, and a link mailed to it brings it back. */
    emailUndoDays: 7,
    /** Hours before the start at which members are reminded of their class. */
    reminderHours: 24,
    /** Days in which a complaint about data is answered. */
    complaintDays: 30,
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
      /** After the newest invitation, where it was never followed and there was neither a pass nor a booking. */
      invitationMonths: 6,
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
} as const satisfies { timetable: Record<string, readonly string[]>; [fact: string]: unknown }

/**
 * What the owner edits (`facts/`), as it is until they do. A first version of the site has nothing else; from the first
 * edit on the database says what is true.
 */
export const beginning = {
  address: {
    street: '7 Aldergate Mews',
    town: 'Harrogate',
    county: 'North Yorkshire',
    postcode: 'HG1 2ZZ',
    latitude: 53.9919,
    longitude: -1.5412,
  },
  phone: '01632 960147',
  email: 'hello@aldergate.example',
  /** Told about refunds that need a look and about health information that was saved. */
  ownerEmail: 'owner@aldergate.example',
  /** For somebody who is on the way. */
  visit: {
    door: 'The green door at the end of the mews. Ring the bell. There is one step; if that is a problem, please call us first.',
    parking:
      'None in the mews. The streets around are disc zones, and shops in town give the discs away; allow ten minutes.',
    transport:
      'Railway and bus station are a few minutes on foot: trains from Leeds and York, buses from Leeds, Ripon and Knaresborough.',
  },
  hours: {
    Monday: { opens: '10:00', closes: '20:00' },
    Tuesday: { opens: '10:00', closes: '20:00' },
    Wednesday: { opens: '10:00', closes: '20:00' },
    Thursday: { opens: '10:00', closes: '20:00' },
    Friday: { opens: '10:00', closes: '20:00' },
    Saturday: { opens: '08:00', closes: '13:00' },
    Sunday: null,
  },
  /** Said on every page. */
  notice: null,
  /** Not registered for VAT. */
  vatPeriods: [] as [],
  /** Of classes made without a price. */
  prices: { price: '65.00', passPrice: '50.00' },
  instructor: {
    role: 'Lead instructor',
    /** No more than there is a certificate for. */
    background: 'Trained reformer teacher',
    /** Paragraphs have an empty line between them. */
    story: `Eleanor first lay down on a reformer as a client: a desk job, stiff shoulders, a friend who would not leave her be. What kept her coming was how much a good teacher could see in five minutes. So she trained as one, and taught full classes in larger studios.

They were good studios. But with ten people in a room you learn to look at the middle of it, and she kept driving home thinking of the one at the end whose question had never come up. So she found a room in a mews and put in two reformers, where a third would have fitted.`,
  },
  /** The policies' words. Their numbers stand above, and are filled in (`facts/rules.ts`). */
  policies: {
    cancelling:
      'Cancel on your dashboard. Up to {minutes} minutes before the class your credit comes back; after that the session is charged in full. If you can, tell us {hours} hours ahead, so that somebody else can have the place. If we cancel, your credit always comes back.',
    refunds:
      'Within {days} days of buying, if no credit has been used, less a {percent}% processing fee. It goes back to the card you paid with. The refund policy has the details.',
  },
} as const
