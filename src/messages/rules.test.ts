import { expect, test } from 'vitest'
import {
  type AlertKind,
  alertAt,
  CONFIRM_WITHIN_DAYS,
  confirmationCutoff,
  isGivenUp,
  parseParagraphs,
  permanentRefusal,
  undeliveredCutoff,
} from './rules.ts'

test('a confirmation link expires after seven days, to the second', () => {
  expect(CONFIRM_WITHIN_DAYS).toBe(7)
  expect(confirmationCutoff(Temporal.Instant.from('2026-12-07T09:00:01Z')).toString()).toBe('2026-11-30T09:00:01Z')
})

test('undelivered mail is kept for 90 days, to the second', () => {
  expect(undeliveredCutoff(Temporal.Instant.from('2026-12-07T09:00:01Z')).toString()).toBe('2026-09-08T09:00:01Z')
})

test.for([
  [499, 'RCPT TO', 'busy', null],
  [500, 'RCPT TO', 'no', 'address'],
  [550, 'RCPT TO', '5.1.1 no such user', 'address'],
  [599, 'DATA', 'no', 'mail'],
  [600, 'DATA', 'no', null],
  [552, 'DATA', '5.3.4 too big', 'mail'],
  [550, 'RCPT TO', '5.7.1 relaying denied', null],
  [550, 'RCPT TO', '15.7.1 of something else', 'address'],
  [550, 'MAIL FROM', 'who are you', null],
  [535, 'AUTH PLAIN', '5.7.8 wrong password', null],
  [undefined, undefined, undefined, null],
] as const)('an answer of %s to %s, %s is a permanent refusal of %s', ([code, command, response, refused]) => {
  expect(permanentRefusal({ code, command, response })).toBe(refused)
})

test.for([
  ['address', 2, false, false],
  ['address', 3, false, true],
  ['mail', 3, false, true],
  [null, 3, false, false],
  [null, 500, false, false],
  [null, 501, true, true],
] as const)('a refusal of %s at try %i (last: %s) is given up: %s', ([refused, tries, isLast, givenUp]) => {
  expect(isGivenUp(refused, { tries, isLast })).toBe(givenUp)
})

test.for([
  ['', []],
  ['One line', [[[{ text: 'One line' }]]]],
  ['  One  \r\nTwo \n \n\n Three ', [[[{ text: 'One' }], [{ text: 'Two' }]], [[{ text: 'Three' }]]]],
  [
    'See https://studio.example/a?b=1&c=(d). Or (http://studio.example)!',
    [
      [
        [
          { text: 'See ' },
          { text: 'https://studio.example/a?b=1&c=(d', href: 'https://studio.example/a?b=1&c=(d' },
          { text: '). Or (' },
          { text: 'http://studio.example', href: 'http://studio.example' },
          { text: ')!' },
        ],
      ],
    ],
  ],
  ['javascript:alert(1) <b>', [[[{ text: 'javascript:alert(1) <b>' }]]]],
] as const)('splits %j into paragraphs, lines and links', ([text, paragraphs]) => {
  expect(parseParagraphs(text)).toEqual(paragraphs)
})

const at = (text: string) => Temporal.PlainDateTime.from(text).toZonedDateTime('Europe/London').toInstant()
test.each<[kind: AlertKind, now: string, startsAt: string, until: string | undefined, sent: string | undefined]>([
  ['class_moved', '2026-12-07T12:00', '2026-12-09T12:00', undefined, '2026-12-07T12:00'],
  ['class_moved', '2026-12-07T11:59', '2026-12-09T12:00', undefined, undefined],
  ['teacher_changed', '2026-12-07T12:00', '2026-12-09T12:00', undefined, '2026-12-07T12:00'],
  ['teacher_changed', '2026-12-07T11:59', '2026-12-09T12:00', undefined, undefined],
  ['teacher_changed', '2026-12-07T22:00', '2026-12-08T07:30', undefined, '2026-12-08T07:00'],
  ['class_cancelled', '2026-12-07T21:59', '2026-12-08T07:30', undefined, '2026-12-07T21:59'],
  ['class_cancelled', '2026-12-07T22:00', '2026-12-08T07:30', undefined, '2026-12-08T07:00'],
  ['class_cancelled', '2026-12-08T01:29', '2026-12-08T07:30', undefined, '2026-12-08T07:00'],
  ['class_cancelled', '2026-12-08T01:30', '2026-12-08T07:30', undefined, '2026-12-08T01:30'],
  ['class_cancelled', '2026-12-08T12:00', '2026-12-08T12:00', undefined, undefined],
  ['place_offered', '2026-12-07T12:00', '2026-12-20T12:00', '2026-12-07T12:20', '2026-12-07T12:00'],
  ['place_offered', '2026-12-07T22:00', '2026-12-08T12:00', '2026-12-07T22:20', undefined],
  ['hold_ending', '2026-12-08T06:59', '2026-12-09T12:00', '2026-12-08T09:00', '2026-12-08T07:00'],
  ['hold_ending', '2026-12-08T07:00', '2026-12-09T12:00', '2026-12-08T09:00', '2026-12-08T07:00'],
])(
  'an alert about %s, written at %s, class at %s, offered until %s, is sent at %s',
  (kind, now, startsAt, until, sent) => {
    const times = { kind, startsAt: at(startsAt), uselessAfter: at(until ?? startsAt) }
    expect(alertAt(times, at(now))?.toString()).toBe(sent && at(sent).toString())
  },
)
