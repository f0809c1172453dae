import * as member from '#testing/histories/member-steps.ts'
import type { Step } from '#testing/histories/step.ts'
import * as owner from '#testing/histories/studio-steps.ts'

/** What a statement becomes on its way to the database. */
export type Rewrite = (text: string) => string

/** A bug that is put into the running studio, and what must find it. */
export type Plant = {
  /** What is wrong then. */
  bug: string
  /** Run in the studio's database; whatever it makes is called `planted`. */
  sql?: string
  /** Brings back what `sql` took away. */
  undo?: string
  /** Statements that the program sends, sent otherwise. */
  rewrite?: Rewrite
  /** A short history in which it shows. */
  story: Step[]
  /** What is said of it. */
  found: RegExp
}

export const ANA = 0
export const BORIS = 1
export const CARL = 2
/** Places in the timetable of `world.ts` on Monday morning. */
export const CEDAR = 0
export const ASTER = 1
export const BIRCH = 2
export const FERN = 5

export const books = (who: number, which: number) => member.books.of({ who, which })
export const cancels = (who: number) => member.cancels.of({ who, which: 0 })
export const sized = (which: number, places: 1 | 2) => owner.resizes.of({ which, places })
export const unlocked: Rewrite = (text) => text.replace(/ for (no key )?update( of "\w+")?/i, '')
export const before = (table: string, when: string, body: string) => trigger('before', table, when, body)
export const after = (table: string, when: string, body: string) =>
  trigger('after', table, when, `${body}; return null`)

function trigger(moment: string, table: string, when: string, body: string): string {
  const [events, condition] = when.split(' when ')
  return `create function planted() returns trigger language plpgsql as $$ begin ${body}; end $$;
    create trigger planted ${moment} ${events} on ${table} for each row
      ${condition ? `when (${condition})` : ''} execute function planted()`
}
export const MAILS = 'pgboss.job_common'
export const mailed = (mail: string) => `insert when new.data ->> 'mail' = '${mail}'`
export const TWICE = `if pg_trigger_depth() < 2 then
  new.id := gen_random_uuid();
  insert into pgboss.job_common select (new).*;
end if`
export const moved = (which: number) =>
  owner.reschedulesClass.of({ which, by: 24 * 60, applyToRecurring: false, onClosedDay: false })
/** A machine so slow that whoever comes second sees nothing of the first. */
export const SLOW = before('bookings', 'insert', 'perform pg_sleep(0.2); return new')
