import { expect, test } from 'vitest'
import {
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
