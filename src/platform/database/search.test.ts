import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { fold } from '#foundation/fold.ts'
import { shareStudio } from '#testing/studio-under-test.ts'
import { containsWords, folded } from './search.ts'

const story = shareStudio()
const finds = async (text: string, search: string) => {
  const { rows } = await story.studio.db.execute<{ found: boolean }>(
    sql`select ${containsWords(folded(sql`${text}::text`), search)} as found`,
  )
  return rows[0]?.found
}

test.each([
  ['Siân Pryce', 'Sian'],
  ['Siân Pryce', 'pryce sian'],
  ['Siân Pryce', 'Pryce, Siân'],
  ['Siân Pryce', '  SIA\u0302N   pry'],
  ['Nora O’Neill', "O'Neill"],
  ['Nora O’Neill', 'oneill'],
  ["Nora O'Neill", 'O’NEILL'],
  ['Zoe\u0308 Brand', 'Zoë'],
  ['Guðmundur', 'gudm'],
  ['Anne\u2010Marie Lee', 'anne marie'],
  ['Anne Marie Lee', 'Anne-Marie'],
  ['ann@people.example', 'ann@people.example.'],
  ['ann@people.example', '\u200bann@people'],
  ['50% off', '%'],
  ['first_name', '_'],
  ['Anyone', ' '],
])('%j has %j', async (text, search) => {
  expect(await finds(text, search)).toBe(true)
})

test.each([
  ['Siân Pryce', 'Sian Price'],
  ['Siân Pryce', '%'],
  ['Siân Pryce', '_'],
  ['Siân Pryce', '\\'],
  ['Anne Lee', 'Anna'],
])('%j does not have %j', async (text, search) => {
  expect(await finds(text, search)).toBe(false)
})

test('the database folds each word like the application', async () => {
  const words = [
    'Siân',
    'ZOE\u0308',
    'O’Neill',
    'O´Neill',
    'Łucja',
    'Ødegård',
    'ÆBELØ',
    'Straße',
    'Þór',
    'ΣΟΦΟΣ',
    'Σοφός',
  ]
  const more = [
    'Ёлка',
    'أَحْمَد',
    'ﬁona',
    'Ａｎｎ',
    '\u200bAn\u00adn\u202e',
    'İstanbul',
    'Nguyễn',
    '王小明',
    'अमित',
    '\u3164',
    'x`y',
  ]
  for (const word of [...words, ...more]) {
    const { rows } = await story.studio.db.execute<{ text: string }>(sql`select folded(${word}) as text`)
    expect([word, rows[0]?.text]).toEqual([word, fold(word)])
  }
})
