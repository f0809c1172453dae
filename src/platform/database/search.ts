import { and, type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** A text as the database compares it: without case, accents, apostrophes and hyphens. */
export const folded = (text: SQLWrapper): SQL => sql`folded(${text})`

/** Whether a folded text contains each word of a search, in any order. A search without words finds everything. */
export function containsWords(foldedText: SQLWrapper, search: string): SQL {
  return and(sql`true`, ...wordsOf(search).map((word) => sql`strpos(${foldedText}, folded(${word})) > 0`)) ?? sql`true`
}

/** The words of a search, without the punctuation around them. */
const wordsOf = (search: string) =>
  search
    .split(/[\s\p{Pd},;]+/u)
    .map((word) => word.replace(/^[("“„@]+|[)"”.:!?]+$/g, '') || word)
    .filter(Boolean)
