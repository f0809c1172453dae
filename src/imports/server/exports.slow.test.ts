import { expect, test } from 'vitest'
import { openStudio } from '#testing/studio-under-test.ts'
import { dryRunImport, memberOf, runImport } from './imports-under-test.ts'

type Imported = {
  line: number
  name: string
  email: string | null
  phone?: string | null
  credits?: number
  expiresOn?: string
}

/** Columns as these systems name them; the people are invented. Studios rename some. */
const EXPORTS: [system: string, csv: string, rows: Imported[]][] = [
  [
    'Momence, with what is left of a pass',
    `Customer name,Customer email,Phone number,Membership,Credits left,Expires at,Tags
Ida Holm,ida@old.example,+44 7700 900100,8 Class Pass,5/8,"Jan 31, 2027, 11:59 PM","VIP, mat"
Jon Berg,jon@old.example,,Unlimited monthly,Unlimited,"Feb 1, 2027, 11:59 PM",`,
    [
      {
        line: 2,
        name: 'Ida Holm',
        email: 'ida@old.example',
        phone: '+44 7700 900100',
        credits: 5,
        expiresOn: '2027-01-31',
      },
      { line: 3, name: 'Jon Berg', email: 'jon@old.example', phone: null, credits: 0 },
    ],
  ],
  [
    'Mindbody, as a report with titles and American dates',
    `Visits Remaining,,,,,,,
Generated on 11/28/2026 9:02 AM,,,,,,,

Client ID,Client,Email,Home Phone,Cell Phone,Pricing Option,Visits Remaining,Expiration Date
100000012,"Holm, Ida",ida@old.example,01632 960130,07700 900100,8 Class Pass,5,3/4/2027
100000013,"Berg, Mr. Jon",jon@old.example,01632 960131,,8 Class Pass,2,12/31/2026
Total,,,,,,7,`,
    [
      {
        line: 5,
        name: 'Ida Holm',
        email: 'ida@old.example',
        phone: '07700 900100',
        credits: 5,
        expiresOn: '2027-03-04',
      },
      {
        line: 6,
        name: 'Jon Berg',
        email: 'jon@old.example',
        phone: '01632 960131',
        credits: 2,
        expiresOn: '2026-12-31',
      },
      { line: 7, name: '', email: null },
    ],
  ],
  [
    'TeamUp, with a person for whom there is only a number',
    `Customer Name,Customer Email,Telephone,Membership Name,Remaining Uses,Expiration Date,Marketing Opt In
Ida Holm,ida@old.example,'07700900100,8 Class Pack,5,31 Jan 2027,Yes
Petra,,07700 900102,8 Class Pack,4,Never,No`,
    [
      {
        line: 2,
        name: 'Ida Holm',
        email: 'ida@old.example',
        phone: '07700900100',
        credits: 5,
        expiresOn: '2027-01-31',
      },
      { line: 3, name: 'Petra', email: null, phone: '07700 900102', credits: 4, expiresOn: '2036-12-07' },
    ],
  ],
  [
    'Glofox',
    `"Name","Email","Phone","Membership Name","Membership Plan","Membership Status","Membership Expiry","Credits Remaining","Joined"
"Ida Holm","IDA@old.example","07700 900100","8 Class Pass","8 credits","Active","2027-01-31 00:00:00","5","2024-03-04 10:11:12"
"Ōta","ota@old.example","N/A","Lead","","Lead","N/A","N/A","2024-03-05 10:11:12"`,
    [
      {
        line: 2,
        name: 'Ida Holm',
        email: 'ida@old.example',
        phone: '07700 900100',
        credits: 5,
        expiresOn: '2027-01-31',
      },
      { line: 3, name: 'Ōta', email: 'ota@old.example', phone: null, credits: 0 },
    ],
  ],
  [
    'WellnessLiving',
    `Client,Member ID,Email Address,Cell Phone,Home Phone,Work Phone,Purchase Option,Remaining,Expires On
"Holm, Ida",M-0012,ida@old.example,,(01632) 960130,,8 Class Pass,5 of 8,01/31/2027
"Berg, Jon",M-0013,jon@old.example,07700 900101,,,Drop-in,1,02/01/2027`,
    [
      {
        line: 2,
        name: 'Ida Holm',
        email: 'ida@old.example',
        phone: '(01632) 960130',
        credits: 5,
        expiresOn: '2027-01-31',
      },
      {
        line: 3,
        name: 'Jon Berg',
        email: 'jon@old.example',
        phone: '07700 900101',
        credits: 1,
        expiresOn: '2027-02-01',
      },
    ],
  ],
  [
    'Vagaro, with three phone columns and no names for some',
    `Customer ID;First Name;Last Name;Email Address;Mobile Phone;Day Phone;Night Phone;Birthday;Points
V1;Ida;Holm;ida@old.example;;01632 960130;;;12
V2;Jon;-;jon@old.example;07700900101;;;;0`,
    [
      { line: 2, name: 'Ida Holm', email: 'ida@old.example', phone: '01632 960130', credits: 0 },
      { line: 3, name: 'Jon', email: 'jon@old.example', phone: '07700900101', credits: 0 },
    ],
  ],
  [
    'Square, with protected numbers and the status of a subscription',
    `Reference ID,First Name,Last Name,Email Address,Phone Number,Nickname,Company Name,Street Address 1,Memo,Creation Source,Transaction Count,Lifetime Spend,Email Subscription Status
,Ida,Holm,ida@old.example,'+447700900100,,,"1 Mill Road, Ely","""VIP"" since 2019",Directory,3,£150.00,subscribed
,Jon,Berg,jon@old.example,,,,,,Import,0,£0.00,unsubscribed`,
    [
      { line: 2, name: 'Ida Holm', email: 'ida@old.example', phone: '+447700900100', credits: 0 },
      { line: 3, name: 'Jon Berg', email: 'jon@old.example', phone: null, credits: 0 },
    ],
  ],
  [
    'bsport, with a byte order mark and tabs',
    `\ufefffirst_name\tlast_name\temail\tphone_number\tpass_name\tcredits_left\tpass_expiration_date\tnewsletter
Ida\tHolm\tida@old.example\t+447700900100\t8 Class Pass\t5.0\t2027-01-31T22:59:59Z\tTrue
Jon\tBerg\tjon@old.example\t\t\t\t\tFalse`,
    [
      {
        line: 2,
        name: 'Ida Holm',
        email: 'ida@old.example',
        phone: '+447700900100',
        credits: 5,
        expiresOn: '2027-01-31',
      },
      { line: 3, name: 'Jon Berg', email: 'jon@old.example', phone: null, credits: 0 },
    ],
  ],
  [
    'Fresha, with a number in either column',
    `Client ID,First Name,Last Name,Full Name,Gender,Mobile Number,Telephone,Email,Accepts Marketing,Date of Birth,Added
1,Ida,,Ida,Female,+44 7700 900100,,ida@old.example,Yes,,2024-03-04
2,Jon,Berg,Jon Berg,,,01632 960131,jon@old.example,No,,2024-03-04`,
    [
      { line: 2, name: 'Ida', email: 'ida@old.example', phone: '+44 7700 900100', credits: 0 },
      { line: 3, name: 'Jon Berg', email: 'jon@old.example', phone: '01632 960131', credits: 0 },
    ],
  ],
  [
    'Mailchimp, with tags in quotation marks',
    `"Email Address","First Name","Last Name","Phone Number",MEMBER_RATING,OPTIN_TIME,OPTIN_IP,LATITUDE,NOTES,TAGS
ida@old.example,Ida,Holm,,2,"2024-03-04 10:11:12",203.0.113.5,,,"""VIP"",""Blog"""
jon@old.example,,,,2,"2024-03-04 10:11:12",,,,`,
    [
      { line: 2, name: 'Ida Holm', email: 'ida@old.example', phone: null, credits: 0 },
      { line: 3, name: '', email: 'jon@old.example' },
    ],
  ],
]

test.each(EXPORTS)('imports an export of %s', async (_, csv, expected) => {
  const { dora } = await openStudio()
  const { rows, problems } = await dryRunImport(dora, csv)
  expect([problems, rows]).toMatchObject([[], expected])
  const { status, body } = await runImport(dora, csv, { leaveOutWrong: true })
  const people = expected.filter(({ phone }) => phone !== undefined)
  expect([status, body.counts.members]).toEqual([200, people.length])
  for (const { name, email, phone, credits } of people) {
    const { user } = await memberOf(dora, email ?? name)
    expect([`${user.firstName} ${user.lastName}`.trim(), user.email, user.phone]).toEqual([name, email, phone])
    expect(user.totalCredits).toBe(credits)
  }
})

test('imports an export of Acuity: members, and the classes of this studio that they had booked', async () => {
  const { studio, dora } = await openStudio({ now: 'Monday 09:00' })
  await studio.createClass({ at: 'Tuesday 09:30' })
  const csv = `"Start Time","End Time","Timezone","First Name","Last Name","Phone","Email","Type","Appointment Price","Paid?"
"December 8, 2026 9:30 am","December 8, 2026 10:15 am","Europe/London","Ida","Holm","'+447700900100","ida@old.example","Reformer Duo","50.00","yes"
"December 8, 2026 11:30 am","December 8, 2026 12:15 pm","Europe/London","Jon","","'07700 900101","jon@old.example","Reformer Duo","50.00","no"`
  const credits = 'Name,Email,Credits\nIda Holm,ida@old.example,1'
  expect((await runImport(dora, credits)).status).toBe(200)
  expect((await dryRunImport(dora, csv)).rows).toMatchObject([
    { line: 2, does: 'book', books: { date: '2026-12-08', startTime: '09:30' } },
    {
      line: 3,
      name: 'Jon',
      does: 'add',
      books: null,
      notes: expect.arrayContaining([expect.stringMatching(/no class on/)]),
    },
  ])
  expect((await runImport(dora, csv)).body.counts).toMatchObject({ members: 1, bookings: 1 })
})
