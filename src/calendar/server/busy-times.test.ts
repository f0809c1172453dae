import { describe, expect, test } from 'vitest'
import { studio } from '#studio.ts'
import { busyTimesIn } from './busy-times.ts'
import { NotACalendar } from './calendar-text.ts'

const DAYS = { from: '2026-11-27', to: '2027-11-27' }
const event = (lines: string) => `BEGIN:VEVENT\n${lines}\nEND:VEVENT`
const calendar = (...parts: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...parts, 'END:VCALENDAR', ''].join('\n').replaceAll('\n', '\r\n')
/** Starts and ends in UTC, the end's day only where it is another one. */
const shown = (text: string) =>
  busyTimesIn(text, DAYS).times.map(({ startsAt, endsAt, isAllDay }) => {
    if (isAllDay) return `${startsAt.slice(0, 13)} to ${endsAt.slice(0, 13)}, all day`
    return `${startsAt.slice(0, 16)}-${endsAt.slice(startsAt.slice(0, 10) === endsAt.slice(0, 10) ? 11 : 0, 16)}`
  })
const times = (...events: string[]) => shown(calendar(...events.map(event)))
const unread = (...events: string[]) => busyTimesIn(calendar(...events.map(event)), DAYS)

/** A visit of an hour, so that each test says only what is special. */
const visit = (start: string, ...more: string[]) => [`UID:visit\n${start}\nDURATION:PT1H`, ...more].join('\n')
const LESSON = 'UID:lesson\nDTSTART;TZID=Europe/London:20270503T100000\nDTEND;TZID=Europe/London:20270503T110000'
const LESSONS = `${LESSON}\nRRULE:FREQ=WEEKLY;COUNT=3`
const FIRST = '2027-05-03T09:00-10:00'
const SECOND = '2027-05-10T09:00-10:00'
const THIRD = '2027-05-17T09:00-10:00'
const AWAY = 'UID:away\nDTSTART;VALUE=DATE:20270603\nDTEND;VALUE=DATE:20270604'
const DENTIST = 'UID:dentist\nDTSTART:20261202T100000Z\nDTEND:20261202T110000Z'
const DENTIST_TIME = '2026-12-02T10:00-11:00'

describe('files', () => {
  const dentist = calendar(event(DENTIST))

  test.each([
    ['a byte order mark', `\uFEFF${dentist}`],
    ['line feeds only', dentist.replaceAll('\r\n', '\n')],
    ['carriage returns only', dentist.replaceAll('\r\n', '\r')],
    ['blank lines', dentist.replaceAll('\r\n', '\r\n\r\n')],
    ['text before it', `<br />Notice: old\r\n${dentist}`],
    ['text after it', `${dentist}<!-- cached -->\r\n`],
    ['names in lower case', dentist.replace(/^[A-Z-]+/gm, (name) => name.toLowerCase())],
    ['an event whose end is missing', dentist.replace('END:VEVENT\r\n', '')],
    [
      'an event whose end is missing before another',
      dentist.replace('END:VEVENT', `BEGIN:VEVENT\r\nUID:x\r\nEND:VEVENT`),
    ],
  ])('are read with %s', (_, text) => expect(shown(text)).toEqual([DENTIST_TIME]))

  test('may hold several calendars', () => {
    const second = calendar(event(DENTIST.replaceAll('20261202', '20261204')))
    expect(shown(dentist + second)).toEqual([DENTIST_TIME, '2026-12-04T10:00-11:00'])
  })

  test.each([
    ['is empty', ''],
    ['is a web page', '<!doctype html>\n<title>Sign in</title>'],
    ['is an address book', 'BEGIN:VCARD\r\nFN:Ann\r\nEND:VCARD\r\n'],
  ])('are refused when the file %s', (_, text) => expect(() => busyTimesIn(text, DAYS)).toThrow(NotACalendar))

  test.each([
    ['a line break in quotation marks', 'ATTENDEE;X-NOTE="Late\nagain":mailto:g@guest.example'],
    ['a quotation mark that is not closed', 'ATTENDEE;CN="Guest:mailto:g@guest.example'],
    ['an address on two lines', 'LOCATION:2 Made Up Road\\,\nElsewhere\nDESCRIPTION:Bring a towel'],
    ['HTML on several lines', 'X-ALT-DESC:<html>\n<p>When: soon</p>\n\nDuration: 60 min\n</html>'],
    ['empty properties', 'EXDATE:\nRRULE:\nRECURRENCE-ID:\nRDATE:\nSTATUS:'],
    ['an alarm of another length', 'BEGIN:VALARM\nTRIGGER:-PT15M\nDURATION:PT5M\nREPEAT:2\nEND:VALARM'],
  ])('are read with %s in an event', (_, lines) =>
    expect(unread(`${DENTIST}\n${lines}`)).toMatchObject({
      times: [{ startsAt: '2026-12-02T10:00:00Z' }],
      unreadEvents: 0,
    }),
  )

  test('are used without the events that cannot be read, which are counted with the first three reasons', () => {
    const reading = unread(
      DENTIST,
      'UID:1\nSUMMARY:Secret',
      visit('DTSTART:20261345T100000Z'),
      visit('DTSTART:20261203T100000Z', 'RRULE:FREQ=SOMETIMES'),
      'UID:2\nDTSTART:20261204T100000Z\nDTEND:20261204T090000Z',
    )
    expect(reading.times).toHaveLength(1)
    expect(reading.unreadEvents).toBe(4)
    expect(reading.firstUnread).toEqual([
      { reason: 'start', day: null },
      { reason: 'date', day: null },
      { reason: 'rule', day: '2026-12-03' },
    ])
  })

  test.each([
    ['end', 'UID:2\nDTSTART:20261204T100000Z\nDTEND:20261204T090000Z'],
    ['rule', visit('DTSTART:20261204T100000Z', 'RRULE:FREQ=MONTHLY;BYDAY=0MO')],
    ['rule', visit('DTSTART:19000101T000000Z', 'RRULE:FREQ=SECONDLY')],
  ])('count an event that is wrong in its %s', (reason, lines) =>
    expect(unread(DENTIST, lines)).toMatchObject({ times: [{}], unreadEvents: 1, firstUnread: [{ reason }] }),
  )

  test('count an event in whose middle the file ends', () => {
    const text = calendar(event(DENTIST)).replace(
      'END:VCALENDAR\r\n',
      'BEGIN:VEVENT\r\nDTSTART:20261203T100000Z\r\nDTEN',
    )
    expect(busyTimesIn(text, DAYS)).toMatchObject({
      times: [{}],
      unreadEvents: 1,
      firstUnread: [{ reason: 'incomplete', day: '2026-12-03' }],
    })
  })

  test('say nothing of wrong events that are over, cancelled or free', () => {
    const wrong = 'DTSTART:20140604T100000Z\nDTEND:20140604T090000Z'
    expect(unread(`UID:1\n${wrong}`, 'UID:2\nSTATUS:CANCELLED', 'UID:3\nTRANSP:TRANSPARENT').unreadEvents).toBe(0)
  })
})

describe('free are', () => {
  const time = visit('DTSTART:20261210T100000Z')
  const guests = (...answers: string[]) =>
    [time, 'ORGANIZER:mailto:host@guest.example', ...answers.map((one) => `ATTENDEE;PARTSTAT=${one}`)].join('\n')

  test.each([
    ['a cancelled event', `${time}\nSTATUS:CANCELLED`],
    ['one that is marked as free', `${time}\nTRANSP:TRANSPARENT`],
    ['one that only Outlook marks as free', `${time}\nX-MICROSOFT-CDO-BUSYSTATUS:FREE`],
    ['one without an end', 'UID:1\nDTSTART:20261210T100000Z'],
    ['an invitation that its one guest declined', guests('DECLINED:mailto:her@own.example')],
    ['a class of the studio', time.replace('UID:visit', `UID:class-12@${studio.domain}`)],
  ])('%s', (_, lines) => expect(times(lines)).toEqual([]))

  test.each([
    ['declined', ['DECLINED;CN=Her:mailto:Her@own.example', 'ACCEPTED:mailto:g@guest.example'], 0],
    ['accepted', ['ACCEPTED:mailto:her@own.example', 'DECLINED:mailto:g@guest.example'], 1],
    ['sent', ['DECLINED:mailto:g@guest.example'], 1],
  ])('invitations that the owner, whose address is the calendar’s name, %s', (_, answers, count) =>
    expect(shown(calendar('X-WR-CALNAME:her@own.example', event(guests(...answers))))).toHaveLength(count),
  )

  test.each([
    ['one of two guests declined', guests('DECLINED:mailto:a@guest.example', 'ACCEPTED:mailto:b@guest.example')],
    ['Outlook and the rest disagree', `${time}\nTRANSP:OPAQUE\nX-MICROSOFT-CDO-BUSYSTATUS:FREE`],
    ['it is tentative', `${time}\nSTATUS:TENTATIVE`],
  ])('not events when %s', (_, lines) => expect(times(lines)).toEqual(['2026-12-10T10:00-11:00']))
})

describe('zones', () => {
  const zone = (name: string, standard: string, daylight: string) =>
    [
      `BEGIN:VTIMEZONE\nTZID:${name}`,
      `BEGIN:DAYLIGHT\nDTSTART:19700329T010000\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\nTZOFFSETFROM:${standard}\nTZOFFSETTO:${daylight}\nEND:DAYLIGHT`,
      `BEGIN:STANDARD\nDTSTART:19701025T020000\nRRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\nTZOFFSETFROM:${daylight}\nTZOFFSETTO:${standard}\nEND:STANDARD`,
      'END:VTIMEZONE',
    ].join('\n')
  const half = (name: string, offset: string) =>
    `BEGIN:VTIMEZONE\nTZID:${name}\nBEGIN:STANDARD\nDTSTART:20260101T000000\nTZOFFSETFROM:${offset}\nTZOFFSETTO:${offset}\nEND:STANDARD\nEND:VTIMEZONE`
  const startIn = (tzid: string, ...definitions: string[]) =>
    shown(calendar(...definitions, event(visit(`DTSTART;TZID=${tzid}:20270603T100000`)))).map((one) =>
      one.slice(11, 16),
    )

  test.each([
    ['Europe/London', '09:00'],
    ['"Europe/Berlin"', '08:00'],
    ['/example.org/20210210_1/America/New_York', '14:00'],
    ['America/New York', '14:00'],
    ['GMT Standard Time', '09:00'],
    ['GMT Standard Time 1', '09:00'],
    ['W. Europe Standard Time', '08:00'],
    ['Pacific Standard Time', '17:00'],
    ['"(GMT-08:00) Pacific Time (US & Canada)"', '17:00'],
    ['"(UTC+01:00) Amsterdam, Berlin, Bern, Rome"', '08:00'],
    ['(GMT) Greenwich Mean Time : Dublin, London', '09:00'],
    ['tzone://Microsoft/Utc', '10:00'],
    ['GMT+05:30', '04:30'],
    ['"GMT-0330"', '13:30'],
    ['Nobody knows', '09:00'],
    ['', '09:00'],
  ])('named %s start 10:00 at %s UTC in June without a definition', (name, start) =>
    expect(startIn(name)).toEqual([start]),
  )

  test('known by name are not those of the file', () => {
    expect(startIn('Europe/London', half('Europe/London', '+0000'))).toEqual(['09:00'])
    expect(startIn('GMT Standard Time', half('GMT Standard Time', '+0000'))).toEqual(['09:00'])
    expect(startIn('Europe/London', 'BEGIN:VTIMEZONE\nTZID:Europe/London\nEND:VTIMEZONE')).toEqual(['09:00'])
  })

  test('of the file’s own have the clock that it defines', () => {
    expect(startIn('Customized Time Zone', zone('Customized Time Zone', '+0100', '+0200'))).toEqual(['08:00'])
    expect(startIn('tzone://Microsoft/Custom', zone('tzone://Microsoft/Custom', '+0200', '+0300'))).toEqual(['07:00'])
    expect(startIn('Mine', half('Mine', '+0130'))).toEqual(['08:30'])
    expect(startIn('Mine', 'BEGIN:VTIMEZONE\nTZID:Mine\nEND:VTIMEZONE')).toEqual(['09:00'])
    expect(startIn('Mine', half('Mine', '+0130').replace('TZOFFSETTO', 'RRULE:nonsense\nTZOFFSETTO'))).toEqual([
      '09:00',
    ])
  })

  test('may differ between start and end', () => {
    const flight = 'UID:1\nDTSTART;TZID=Europe/London:20270603T100000\nDTEND;TZID=America/New_York:20270603T130000'
    expect(times(flight)).toEqual(['2027-06-03T09:00-17:00'])
    expect(times(flight.replace('America/New_York', 'Eastern Standard Time'))).toEqual(['2027-06-03T09:00-17:00'])
  })

  test('may end at 24:00', () => {
    const party = 'UID:1\nDTSTART;TZID=Europe/London:20261203T200000\nDTEND;TZID=Europe/London:20261203T240000'
    expect(times(party)).toEqual(['2026-12-03T20:00-2026-12-04T00:00'])
  })

  test('without a name are the studio’s, across changes of the clock', () => {
    const daily = (start: string) => visit(`DTSTART:${start}`, 'RRULE:FREQ=DAILY;COUNT=2')
    expect(times(daily('20270327T090000'))).toEqual(['2027-03-27T09:00-10:00', '2027-03-28T08:00-09:00'])
    // 01:30 is skipped on 28 March, and happens twice on 31 October: the first counts.
    expect(times(daily('20270327T013000'))).toEqual(['2027-03-27T01:30-02:30', '2027-03-28T01:30-02:30'])
    expect(times(daily('20271030T013000'))).toEqual(['2027-10-30T00:30-01:30', '2027-10-31T00:30-01:30'])
  })
})

describe('all-day events', () => {
  const THIRD_OF_JUNE = '2027-06-02T23 to 2027-06-03T23, all day'

  test.each([
    ['end before their last day', AWAY],
    ['end on their first day', AWAY.replace('20270604', '20270603')],
    ['have no end', 'UID:1\nDTSTART;VALUE=DATE:20270603'],
    ['last a day', 'UID:1\nDTSTART;VALUE=DATE:20270603\nDURATION:P1D'],
    ['are not marked as a date', 'UID:1\nDTSTART:20270603'],
  ])('last a day in London when they %s', (_, lines) => expect(times(lines)).toEqual([THIRD_OF_JUNE]))

  test('last until the day before their end', () => {
    expect(times(AWAY.replace('20270604', '20270606'))).toEqual(['2027-06-02T23 to 2027-06-05T23, all day'])
  })

  test.each([
    ['in a zone', 'TZID=W. Europe Standard Time:20270610T000000'],
    ['in UTC', 'VALUE=DATE-TIME:20270609T230000Z'],
    ['as a date', 'VALUE=DATE:20270610'],
  ])('of a series are excluded and moved by a day that is written %s', (_, day) => {
    const days = `${AWAY}\nRRULE:FREQ=WEEKLY;COUNT=2`
    expect(times(`${days}\nEXDATE;${day}`)).toEqual([THIRD_OF_JUNE])
    const moved = 'DTSTART;VALUE=DATE:20270611\nDTEND;VALUE=DATE:20270612'
    expect(times(days, `UID:away\nRECURRENCE-ID;${day}\n${moved}`)).toEqual([
      THIRD_OF_JUNE,
      '2027-06-10T23 to 2027-06-11T23, all day',
    ])
  })

  test('repeat every year since long ago', () => {
    expect(times('UID:1\nDTSTART;VALUE=DATE:16041203\nRRULE:FREQ=YEARLY')).toEqual([
      '2026-12-03T00 to 2026-12-04T00, all day',
    ])
  })
})

describe('series', () => {
  test.each([
    ['UTC', ':20270510T090000Z'],
    ['another zone', ';TZID=America/New_York:20270510T050000'],
    ['a zone of Windows', ';TZID=GMT Standard Time:20270510T100000'],
    ['a zone that nobody knows', ';TZID=Nobody knows:20270510T100000'],
    ['no zone', ':20270510T100000'],
    ['a date', ';VALUE=DATE:20270510'],
  ])('lose and move an occurrence that is named in %s', (_, name) => {
    expect(times(`${LESSONS}\nEXDATE${name}`)).toEqual([FIRST, THIRD])
    const changed = (lines: string) => `UID:lesson\nRECURRENCE-ID${name}\n${lines}`
    expect(times(LESSONS, changed('STATUS:CANCELLED'))).toEqual([FIRST, THIRD])
    const moved = changed('DTSTART:20270511T140000Z\nDTEND:20270511T150000Z')
    expect(times(LESSONS, moved)).toEqual([FIRST, '2027-05-11T14:00-15:00', THIRD])
  })

  test('take the latest version of a change', () => {
    const change = (sequence: number, hour: number) =>
      `UID:lesson\nSEQUENCE:${sequence}\nRECURRENCE-ID:20270510T090000Z\nDTSTART:20270510T${hour}0000Z\nDURATION:PT1H`
    expect(times(LESSONS, change(3, 15), change(2, 12))).toEqual([FIRST, '2027-05-10T15:00-16:00', THIRD])
  })

  test('move or end with a change to an occurrence and all that follow', () => {
    const id = 'UID:lesson\nRECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/London:20270510T100000'
    const five = LESSONS.replace('COUNT=3', 'COUNT=4')
    const later = 'DTSTART;TZID=Europe/London:20270511T150000\nDTEND;TZID=Europe/London:20270511T153000'
    const moved = ['2027-05-11T14:00-14:30', '2027-05-18T14:00-14:30', '2027-05-25T14:00-14:30']
    expect(times(five, `${id}\n${later}`)).toEqual([FIRST, ...moved])
    const backAgain = 'UID:lesson\nRECURRENCE-ID:20270524T090000Z\nDTSTART:20270524T090000Z\nDURATION:PT1H'
    expect(times(five, `${id}\n${later}`, backAgain)).toEqual([FIRST, ...moved.slice(0, 2), '2027-05-24T09:00-10:00'])
    expect(times(five, `${id}\nSTATUS:CANCELLED`)).toEqual([FIRST])
  })

  test.each([
    ['20270517T090000Z', [FIRST, SECOND, THIRD]],
    ['20270517T085959Z', [FIRST, SECOND]],
    ['20270517T100000', [FIRST, SECOND, THIRD]],
    ['20270517', [FIRST, SECOND, THIRD]],
    ['20270516', [FIRST, SECOND]],
  ])('end with UNTIL=%s', (until, expected) =>
    expect(times(`${LESSON}\nRRULE:FREQ=WEEKLY;UNTIL=${until}`)).toEqual(expected),
  )

  test('have the days of RDATE, with lengths of their own', () => {
    const visits = visit('DTSTART:20261210T090000Z', 'RDATE:20261214T090000Z,20261215T120000Z')
    expect(times(visits)).toEqual(['2026-12-10T09:00-10:00', '2026-12-14T09:00-10:00', '2026-12-15T12:00-13:00'])
    const periods = 'RDATE;VALUE=PERIOD:20261211T090000Z/PT2H,20261212T090000Z/20261212T093000Z'
    expect(times(visit('DTSTART:20261210T090000Z', periods))).toEqual([
      '2026-12-10T09:00-10:00',
      '2026-12-11T09:00-11:00',
      '2026-12-12T09:00-09:30',
    ])
    expect(times(visit('DTSTART:20261210T090000Z', `${periods}\nEXDATE:20261211T090000Z`))).toHaveLength(2)
  })

  test('begin on their first day, even if it is outside the rule', () => {
    const rule = (count: string) => visit('DTSTART:20261201T090000Z', `RRULE:FREQ=WEEKLY;BYDAY=TH;${count}`)
    expect(times(rule('UNTIL=20261204'))).toEqual(['2026-12-01T09:00-10:00', '2026-12-03T09:00-10:00'])
    expect(times(rule('COUNT=2'))).toEqual(['2026-12-01T09:00-10:00', '2026-12-03T09:00-10:00'])
  })

  test.each([
    ['FREQ=DAILY;COUNT=5446', '20120101', ['2026-11-27', '2026-11-28']],
    ['FREQ=WEEKLY;INTERVAL=26;BYDAY=MO', '20120102', ['2026-12-14', '2027-06-14']],
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;UNTIL=20270105', '20120131', ['2026-11-30', '2026-12-31']],
    ['FREQ=MONTHLY;UNTIL=20270405', '20120131', ['2026-12-31', '2027-01-31', '2027-03-31']],
    ['FREQ=YEARLY', '20120630', ['2027-06-30']],
    ['freq=daily;count=2;', '20261203', ['2026-12-03', '2026-12-04']],
    ['FREQ=DAILY;UNTIL=;COUNT=2', '20261203', ['2026-12-03', '2026-12-04']],
  ])('since 2012 with %s are found in the coming year', (rule, start, expected) => {
    const found = times(visit(`DTSTART;TZID=Europe/London:${start}T100000`, `RRULE:${rule}`))
    expect(found.map((one) => one.slice(0, 10))).toEqual(expected)
  })

  test('reach into the days that are asked for from before', () => {
    expect(times(visit('DTSTART:20261101T100000Z').replace('PT1H', 'P30D'))).toEqual([
      '2026-11-01T10:00-2026-12-01T10:00',
    ])
    const yearly = visit('DTSTART:20201101T100000Z', 'RRULE:FREQ=YEARLY;UNTIL=20261101T100000Z').replace('PT1H', 'P30D')
    expect(times(yearly)).toEqual(['2026-11-01T10:00-2026-12-01T10:00'])
  })
})
