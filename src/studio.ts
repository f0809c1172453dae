import type { WEEKDAYS } from '#foundation/dates.ts'

/** The studio's fixed facts: time zone, money and policies. The owner edits the others ({@link initialFacts}). */
export const studio = {
  /** Part of calendar entries' ids, so it must not change. */
  domain: 'aldergate.example',
  timeZone: 'Europe/London',
  locale: 'en-GB',
  currency: 'GBP',
  country: 'GB',
  /** How early members should arrive. */
  arriveMinutes: 5,
  session: {
    /** Also the length of a class whose end is not after its start. */
    minutes: 45,
    /** Shown with every price and pass. */
    credit: 'One credit books one place, so two of you need two.',
    /** Shown to members with a regular booking. */
    creditsTonight: 'From tonight, your regular bookings use free credits, the earliest class first.',
  },
  policies: {
    /** A late cancellation costs the credit; exactly this long before the start is already late. */
    lateCancellationMinutes: 120,
    /** A pass that gets a goodwill credit stays valid for at least this long. */
    goodwillDays: 14,
    /** The notice that the studio asks for (refund policy). */
    noticeHours: 12,
    /**
     * A place freed at least this long before the start goes to the first person on the waiting list; later, it is
     * offered to one after the other ({@link waitingListTurn}).
     */
    waitingListHours: 12,
    /**
     * How long an offer lasts. From `untilHours` before the start on, everyone on the list is emailed and the first to
     * book gets it.
     */
    waitingListTurn: { minutes: 20, untilHours: 3 },
    /**
     * Places freed at night are offered in the morning, because nobody reads email then. Only for a class before
     * `earlyClass` is everyone on the waiting list emailed immediately.
     */
    quietHours: { from: '22:00', until: '07:00', earlyClass: '10:00' },
    /**
     * A place for a companion is held for `holdHours`, at most until `untilMinutes` before the start; a class that
     * moves leaves at least `afterMoveHours`. Nobody can be invited less than `noticeHours` before the start. `held`:
     * places at once, for one member; `anHour`: invitations by one member and to one address. A member is texted
     * `textedHours` before it ends.
     */
    companions: {
      holdHours: 48,
      untilMinutes: 120,
      noticeHours: 4,
      afterMoveHours: 2,
      held: 4,
      anHour: 5,
      forgottenDays: 30,
      textedHours: 2,
    },
    /** How long deleted classes and closures can be undone; their emails wait until then. */
    undoSeconds: 60,
    /** How long a member's own cancellation can be undone; its email and the waiting list wait until then. */
    cancellationUndo: { offeredSeconds: 10, allowedSeconds: 12 },
    /** How long a payment that was started before a price changed keeps the former price. */
    formerPriceMinutes: 30,
    /** How long a payment that was started with a promotion code keeps it. */
    codeReservedMinutes: 30,
    /** Tries of unknown codes an hour, for one account or network address. */
    codeTriesAnHour: 30,
    /** How long an emailed link to set a password works. */
    passwordLinkHours: 2,
    /** Emails of one kind that anyone can request, for one recipient. */
    linksAnHour: 5,
    /** Gift vouchers. `sendAheadMonths`: how far ahead the day of its email may be. */
    voucher: {
      validityMonths: 24,
      remindDays: 60,
      detailsDays: 30,
      triesAnHour: 10,
      sendAheadMonths: 12,
      sendAt: '09:00',
    },
    /** From this many failed logins in an hour the studio's owner is emailed, at most once in `everyHours`. */
    loginAlarm: { failures: 200, everyHours: 6 },
    /** How long an invitation link works. */
    invitationDays: 14,
    /** How long the link works that confirms a new email address. */
    emailChangeHours: 48,
    /** How long a changed email address stays reserved and can be restored by the emailed link. */
    emailUndoDays: 7,
    /** Until how many hours before the start members are texted about a moved or cancelled class, by day and night. */
    texts: { withinHours: 48, atNightWithinHours: 6 },
    reminderHours: 24,
    /** How far ahead a regular booking books, and when members are emailed that their credits end soon. */
    regularBookings: {
      weeks: 12,
      creditsWarningWeeks: 2,
      /**
       * When the nightly job books, and until when on the evening before credits count for it: what comes back later is
       * the member's own until the night after.
       */
      nightly: '00:20',
      creditsUntil: '21:00',
      /** Unasked, nothing is booked for members without an email address that starts sooner. */
      byPhoneHours: 48,
      /** Dates up to so far away are in the next morning's email, later ones in the monthly one. */
      announcedDays: 7,
    },
    /** How many days before credits expire members are emailed, the earliest first. */
    expiryWarningDays: [14, 3],
    complaintDays: 30,
    /** How long an unused pass can be refunded. */
    refundDays: 14,
    /** A deduction within the cooling-off period is doubtful (Consumer Contracts Regulations 2013): take advice. */
    refundFeePercent: 10,
    /** Set by law: consumers may cancel an online purchase (Consumer Contracts Regulations 2013, regulation 30). */
    coolingOffDays: 14,
    refundArrivesBusinessDays: 7,
    /** How long data is kept (privacy policy); the daily job erases it. */
    retention: {
      /** After the last class, or after signing up. */
      contactYears: 2,
      /** After the newest invitation to a member who never used the account. */
      invitationMonths: 6,
      /** After the last class or the last save, whichever is later. */
      healthMonths: 6,
      financialYears: 6,
      /** The access and audit logs. */
      recordMonths: 12,
      backupNights: 7,
      undeliveredDays: 90,
    },
    /** A pass that gets a credit back after a studio cancellation stays valid for at least this long. */
    studioCancellationGraceDays: 14,
  },
} as const

const duo = (day: (typeof WEEKDAYS)[number], startTime: string, endTime: string) => {
  return { day, startTime, endTime, maxParticipants: 2 }
}

/** The specified weekly timetable. */
const timetable = {
  from: '2026-01-01',
  slots: [
    duo('Monday', '09:30', '10:15'),
    duo('Monday', '11:30', '12:15'),
    duo('Tuesday', '12:00', '12:45'),
    duo('Tuesday', '13:00', '13:45'),
    duo('Wednesday', '09:30', '10:15'),
    duo('Wednesday', '12:00', '12:45'),
    duo('Friday', '07:00', '07:45'),
    duo('Friday', '08:00', '08:45'),
    duo('Friday', '09:00', '09:45'),
    duo('Friday', '10:00', '10:45'),
    duo('Saturday', '07:00', '07:45'),
  ],
}

/**
 * The facts that the owner can edit (`facts/`), used until the first edit. This studio is fictional: the phone number
 * is from the range reserved for drama, the domain from `.example`.
 */
export const initialFacts = {
  name: 'Aldergate Pilates',
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
  /** For notices about refunds, health information and security. */
  ownerEmail: 'owner@aldergate.example',
  visit: {
    door: 'The green door at the end of the mews. Ring the bell. There is one step; if that is a problem, please call us first.',
    parking:
      'None in the mews. The streets around it are disc zones, and shops in town give the discs away free. Allow ten minutes.',
    transport:
      'The railway and bus stations are a few minutes’ walk away: trains from Leeds and York, buses from Leeds, Ripon and Knaresborough.',
  },
  /** Step-free access. */
  access:
    'There is one step of 15 cm at the green door and none after it. We have a ramp for it: please call us first. The door is 82 cm wide. There is a toilet on the same floor, not fitted for wheelchairs. You lie and stand on the reformer at a height of 40 cm, and we can help you on and off. Assistance dogs are welcome.',
  hours: {
    Monday: { opens: '10:00', closes: '20:00' },
    Tuesday: { opens: '10:00', closes: '20:00' },
    Wednesday: { opens: '10:00', closes: '20:00' },
    Thursday: { opens: '10:00', closes: '20:00' },
    Friday: { opens: '10:00', closes: '20:00' },
    Saturday: { opens: '08:00', closes: '13:00' },
    Sunday: null,
  },
  timetables: [timetable] as (typeof timetable)[],
  /** Shown at the top of every page. */
  notice: null,
  vatPeriods: [] as [],
  /** Of the owner's own, by place. */
  pictures: {},
  /** For classes created without a price. */
  prices: { price: '65.00', passPrice: '50.00' },
  social: { name: 'Instagram', url: 'https://www.instagram.com/aldergate.example' },
  /** Where members review the studio, such as on Google. */
  reviewUrl: null,
  /** The most text messages that the studio pays for in a calendar month. */
  texts: { monthlyLimit: 200 },
  /** Who runs the studio by law; null until filled in. */
  legal: null,
  instructor: {
    name: 'Eleanor Marsh',
    role: 'Lead instructor',
    /** List only certified training. */
    background: 'Trained reformer teacher',
    /** Paragraphs have an empty line between them. */
    story: `Eleanor first lay down on a reformer as a client: a desk job, stiff shoulders, a friend who would not leave her be. What kept her coming was how much a good teacher could see in five minutes. So she trained as one, and taught full classes in larger studios.

They were good studios. But with ten people in a room you learn to look at the middle of it, and she kept driving home thinking of the one at the end whose question had never come up. So she found a room in a mews and put in two reformers, where a third would have fitted.`,
  },
  /** Who teaches beside her. */
  teachers: [] as [],
  /** The numbers above are filled in (`facts/rules.ts`). */
  policies: {
    cancelling:
      'Cancel on your dashboard. If you cancel more than {minutes} minutes before the class, you get your credit back; after that, the session is charged in full. If you can, give us {hours} hours’ notice so that someone else can take your place. If we cancel, you always get your credit back.',
    refunds:
      'You can get a refund within {days} days of buying if you have not used a credit, less a {percent}% processing fee. We refund the card you paid with. The refund policy has the details.',
  },
  /** Part of the terms and the refund policy. */
  voucherTerms:
    'A gift voucher is valid for {months} months, until the end of the date shown on it. The first person who redeems its code by then gets the pass, which counts from that day. Until then, the buyer can cancel within {days} days of buying it, without giving a reason: we refund the whole price, and the voucher is void. Once it has been redeemed, the rules for passes apply, and a refund goes to the buyer.',
} as const
