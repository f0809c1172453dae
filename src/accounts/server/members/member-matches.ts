import { ilike, or, sql } from 'drizzle-orm'
import { likePattern } from '#platform/database/like-pattern.ts'
import { users } from '../../tables.ts'

/** Part of a member's name or email, in any case. */
export function memberMatches(search: string) {
  const pattern = likePattern(search)
  return or(ilike(sql`${users.firstName} || ' ' || ${users.lastName}`, pattern), ilike(users.email, pattern))
}
