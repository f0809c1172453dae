import * as member from '#testing/histories/member-steps.ts'
import * as owner from '#testing/histories/studio-steps.ts'
import * as time from '#testing/histories/time-steps.ts'
import {
  ANA,
  ASTER,
  after,
  BIRCH,
  BORIS,
  before,
  books,
  CARL,
  CEDAR,
  cancels,
  FERN,
  MAILS,
  mailed,
  moved,
  type Plant,
  SLOW,
  sized,
  TWICE,
  unlocked,
} from './plant.ts'

/** Bugs about classes, credits, mails and calendars. */
export const CLASS_PLANTS: Plant[] = [
  {
    bug: 'a class is oversold: no lock, no constraint',
    sql: `${SLOW}; alter table classes drop constraint a_class_is_never_oversold`,
    undo: `alter table classes add constraint a_class_is_never_oversold
      check (booked_count >= 0 and booked_count + held_places <= max_participants)`,
    rewrite: unlocked,
    story: [member.contest.of({ first: ANA, second: BORIS, which: BIRCH, gives: false })],
    found: /counts other places than it sold, or sold more/,
  },
  {
    bug: 'a member gets two places in one class: no lock, no unique index',
    sql: `${SLOW}; drop index one_confirmed_booking_per_member_and_class`,
    undo: `create unique index one_confirmed_booking_per_member_and_class on bookings (user_id, class_id) where status <> 'cancelled'`,
    rewrite: unlocked,
    story: [
      owner.gifts.of({ who: ANA, credits: 2, months: 1 }),
      member.contest.of({ first: ANA, second: ANA, which: ASTER, gives: false }),
    ],
    found: /two places in one class/,
  },
  {
    bug: 'one credit pays twice: no lock, no constraint',
    sql: `${SLOW}; alter table passes drop constraint credits_are_never_negative`,
    undo: 'alter table passes add constraint credits_are_never_negative check (credits_remaining >= 0)',
    rewrite: unlocked,
    story: [member.booksTwo.of({ who: ANA, which: ASTER, other: BIRCH })],
    found: /credits are not the sum of its ledger/,
  },
  {
    bug: 'a credit does not come back',
    sql: before('credit_ledger', "insert when new.kind = 'return'", 'return null'),
    story: [books(ANA, ASTER), cancels(ANA)],
    found: /returned otherwise than it says/,
  },
  {
    bug: 'a credit comes back twice',
    sql: `drop index a_booking_is_returned_once; drop index a_cancelled_booking_has_one_outcome;
      ${after(
        'credit_ledger',
        "insert when new.kind = 'return'",
        `if pg_trigger_depth() < 2 then
           insert into credit_ledger (pass_id, kind, credits, booking_id, reason, caused_by, caused_by_admin, at)
           values (new.pass_id, new.kind, 1, new.booking_id, new.reason, new.caused_by, new.caused_by_admin, new.at);
         end if`,
      )}`,
    undo: `create unique index a_booking_is_returned_once on credit_ledger (booking_id) where kind in ('return', 'goodwill');
      create unique index a_cancelled_booking_has_one_outcome on credit_ledger (booking_id) where kind in ('return', 'forfeit')`,
    story: [books(ANA, ASTER), cancels(ANA)],
    found: /returned otherwise than it says/,
  },
  {
    bug: 'a forfeit leaves no line',
    sql: before('credit_ledger', "insert when new.kind = 'forfeit'", 'return null'),
    story: [books(ANA, CEDAR), time.comesTo.of({ which: 0, minutesBefore: 120 }), cancels(ANA)],
    found: /without exactly one line of its outcome/,
  },
  {
    bug: 'a balance that its lines do not explain',
    sql: `alter table passes disable trigger only_the_ledger_moves_credits;
      ${after('credit_ledger', "insert when new.kind = 'gift'", 'update passes set credits_remaining = credits_remaining + 1 where id = new.pass_id')}`,
    undo: 'alter table passes enable trigger only_the_ledger_moves_credits',
    story: [owner.gifts.of({ who: ANA, credits: 2, months: 1 })],
    found: /credits are not the sum of its ledger/,
  },
  {
    bug: 'an expired pass keeps its credits',
    sql: before('credit_ledger', "insert when new.kind = 'expiry'", 'return null'),
    story: [owner.gifts.of({ who: ANA, credits: 1, months: 1 }), time.passes.of({ hours: 24 * 40 })],
    found: /has expired and still holds credits/,
  },
  {
    bug: 'a pass pays for a class after its expiry',
    rewrite: (text) =>
      /^select .* from "passes" .*for no key update/.test(text)
        ? text.replace(/(?<!\.)"expires_at"/, `'2099-01-01T00:00:00Z'::timestamptz`)
        : text,
    story: [
      owner.gifts.of({ who: ANA, credits: 1, months: 1 }),
      books(ANA, ASTER),
      owner.reschedulesClass.of({ which: FERN, by: 28 * 24 * 60, applyToRecurring: false, onClosedDay: false }),
      books(ANA, FERN),
    ],
    found: /expires before the class it pays for/,
  },
  {
    bug: 'a mail is not sent',
    sql: before(MAILS, mailed('booking-cancelled'), 'return null'),
    story: [books(ANA, ASTER), cancels(ANA)],
    found: /nobody was told that Ana lost a place in Aster/,
  },
  {
    bug: 'a mail is sent twice',
    sql: after(MAILS, mailed('class-cancelled'), TWICE),
    story: [books(ANA, ASTER), owner.takesOff.of({ which: ASTER, forGood: true, applyToRecurring: false })],
    found: /told 2 times that Ana lost a place in Aster/,
  },
  {
    bug: 'a mail goes to somebody else',
    sql: before(
      MAILS,
      mailed('booking-confirmed'),
      `new.data := jsonb_set(new.data, '{data,to,email}', '"carl@people.example"'); return new`,
    ),
    story: [books(ANA, ASTER)],
    found: /told what did not happen: Carl got a place in Aster/,
  },
  {
    bug: 'a reminder comes every minute',
    sql: before('bookings', 'update when new.reminded_at is not null', 'new.reminded_at := null; return new'),
    story: [books(ANA, ASTER), time.comesTo.of({ which: 0, minutesBefore: 1440 })],
    found: /told what did not happen: Ana is reminded of Aster/,
  },
  {
    bug: 'who books goes on waiting',
    sql: before('waiting_list', 'delete', 'return null'),
    story: [books(ANA, BIRCH), member.waits.of({ who: BORIS, which: 0 }), sized(BIRCH, 2)],
    found: /booked into a class and waits for it/,
  },
  {
    bug: 'a place freed is offered to nobody',
    sql: before(MAILS, mailed('place-free'), 'return null'),
    story: [
      books(ANA, BIRCH),
      books(CARL, ASTER),
      member.waits.of({ who: CARL, which: 0 }),
      time.comesTo.of({ which: 1, minutesBefore: 10 * 60 }),
      sized(1, 2),
    ],
    found: /nobody was told that Carl can have a place in Birch/,
  },
  {
    bug: 'the studio cancels and a booking stays',
    sql: before(
      'bookings',
      "update when new.status = 'cancelled'",
      'new.status := old.status; new.cancelled_at := null; new.payment_status := old.payment_status; return new',
    ),
    story: [books(ANA, ASTER), owner.takesOff.of({ which: ASTER, forGood: false, applyToRecurring: false })],
    found: /the studio cancelled, yet booking 1 is confirmed/,
  },
  {
    bug: 'a move loses the calendar identity',
    sql: `drop index one_version_of_a_calendar_identity; drop index one_place_per_calendar_identity;
      ${before('bookings', 'insert', 'new.calendar_uid := gen_random_uuid()::text; return new')}`,
    undo: `create unique index one_place_per_calendar_identity on bookings (calendar_uid) where status <> 'cancelled';
      create unique index one_version_of_a_calendar_identity on bookings (calendar_uid, calendar_sequence)`,
    story: [books(ANA, ASTER), member.moves.of({ who: ANA, which: 0, to: BIRCH })],
    found: /Ana's calendar shows what is not booked/,
  },
  {
    bug: 'SEQUENCE does not count a cancellation',
    sql: 'alter table bookings disable trigger a_calendar_identity_counts_up',
    undo: 'alter table bookings enable trigger a_calendar_identity_counts_up',
    story: [books(ANA, ASTER), cancels(ANA)],
    found: /SEQUENCE 0 did not count up/,
  },
  {
    bug: 'a class moves and whoever booked it is not told',
    sql: before(MAILS, mailed('class-moved'), 'return null'),
    story: [books(ANA, ASTER), moved(ASTER)],
    found: /nobody was told that Ana is moved with Aster/,
  },
  {
    bug: 'a class moves and whoever waits for it is told twice',
    sql: after(MAILS, mailed('awaited-class-moved'), TWICE),
    story: [books(ANA, BIRCH), member.waits.of({ who: BORIS, which: 0 }), moved(BIRCH)],
    found: /told 2 times that Boris is moved with Birch/,
  },
  {
    bug: 'the studio takes a class off and whoever waits for it is not told',
    sql: before(MAILS, mailed('awaited-class-cancelled'), 'return null'),
    story: [
      books(ANA, BIRCH),
      member.waits.of({ who: BORIS, which: 0 }),
      owner.takesOff.of({ which: BIRCH, forGood: false, applyToRecurring: false }),
    ],
    found: /nobody was told that Boris waits in vain for Birch/,
  },
  {
    bug: 'SEQUENCE does not count a move of the class',
    sql: 'alter table classes disable trigger a_changed_class_counts_calendars_up',
    undo: 'alter table classes enable trigger a_changed_class_counts_calendars_up',
    story: [books(ANA, ASTER), moved(ASTER)],
    found: /SEQUENCE 0 did not count up/,
  },
  {
    bug: 'a moved class keeps its 120 minutes',
    sql: before(
      'bookings',
      'update when new.moved_at is not null',
      `new.moved_at := null; new.moved_from_date := null;
      new.moved_from_start_time := null; new.moved_from_end_time := null; return new`,
    ),
    story: [books(ANA, CEDAR), moved(CEDAR), time.comesTo.of({ which: 0, minutesBefore: 60 }), cancels(ANA)],
    found: /cancelled 60 minutes before the start, yet forfeited/,
  },
  {
    bug: 'a moved class is not reminded of anew',
    sql: before('bookings', 'update when new.moved_at is not null', 'new.reminded_at := old.reminded_at; return new'),
    story: [
      books(ANA, ASTER),
      time.comesTo.of({ which: 0, minutesBefore: 24 * 60 }),
      owner.reschedulesClass.of({ which: 0, by: 7 * 24 * 60, applyToRecurring: false, onClosedDay: false }),
      time.comesTo.of({ which: 0, minutesBefore: 24 * 60 }),
    ],
    found: /booking 1 was not reminded of/,
  },
  {
    bug: 'a class moves onto a closed day without a question',
    rewrite: (text) => text.replace('from "closures" where', 'from "closures" where false and'),
    story: [owner.closesDays.of({ which: ASTER, days: 1 }), moved(CEDAR)],
    found: /takes place on a closed day, and nobody was asked/,
  },
  {
    bug: 'a class with marked attendance moves to a later time',
    rewrite: (text) =>
      text.replace('select count(*) from "bookings" where', 'select count(*) from "bookings" where false and'),
    story: [
      books(ANA, CEDAR),
      time.comesTo.of({ which: 0, minutesBefore: 0 }),
      owner.marks.of({ which: 0, status: 'completed' }),
      // Classes that have started come last.
      moved(5),
    ],
    found: /booking 1 is completed, and its class is still to come/,
  },
  {
    bug: 'a deed is answered with a failure',
    rewrite: (text) => (text === 'commit' ? 'commit; select 1 / 0' : text),
    story: [books(ANA, ASTER)],
    found: /a failure was told, and something was done/,
  },
  {
    bug: 'a failure is answered as a deed',
    // In the last moment, when nothing that the program sees can fail any more.
    sql: `create function planted() returns trigger language plpgsql as $$ begin
        perform set_config('session_replication_role', 'replica', true);
        delete from pgboss.job_common where data #>> '{data,class,bookingId}' = new.id::text;
        delete from credit_ledger where booking_id = new.id;
        delete from bookings where id = new.id;
        update classes set booked_count = booked_count - 1 where id = new.class_id;
        update passes set credits_remaining = credits_remaining + 1 where id = new.pass_id;
        return null;
      end $$;
      create constraint trigger planted after insert on bookings deferrable initially deferred
        for each row execute function planted()`,
    story: [books(ANA, ASTER)],
    found: /told of a booking that is not there/,
  },
  {
    bug: 'a place freed at night stays held',
    sql: before(
      'classes',
      'update when old.held_places > 0 and new.held_places = 0',
      'new.held_places := old.held_places; return new',
    ),
    story: [
      books(ANA, BIRCH),
      member.waits.of({ who: BORIS, which: 0 }),
      time.comesTo.of({ which: 0, minutesBefore: 17 * 60 }),
      sized(1, 2),
      time.passes.of({ hours: 12 }),
    ],
    found: /a place in Birch is still held for its line/,
  },
  {
    bug: 'a credit comes back to a voided pass',
    sql: 'alter table passes disable trigger a_voided_pass_holds_no_credits',
    undo: 'alter table passes enable trigger a_voided_pass_holds_no_credits',
    rewrite: (text) =>
      /^select .* from "passes" where "passes"."id" in/.test(text)
        ? text.replace('"voided_at"', 'null::timestamptz')
        : text,
    story: [books(ANA, ASTER), owner.voids.of({ which: 0 }), cancels(ANA)],
    found: /a voided pass that holds credits/,
  },
  {
    bug: 'the studio cancels and keeps the credit of a late cancellation',
    rewrite: (text) => text.replace(/("bookings"\."payment_status" = \$\d+)(?=\)* and \(*"passes")/, '$1 and false'),
    story: [
      books(ANA, CEDAR),
      time.comesTo.of({ which: 0, minutesBefore: 60 }),
      cancels(ANA),
      owner.takesOff.of({ which: CEDAR, forGood: true, applyToRecurring: false }),
    ],
    found: /late cancellation 1 is forfeited/,
  },
  {
    bug: 'undoing a cancellation leaves the credit with the member',
    sql: before('credit_ledger', "insert when new.kind = 'booking' and new.reinstatements > 0", 'return null'),
    story: [books(ANA, ASTER), owner.deletesAndUndoes.of({ which: ASTER, closes: false, who: ANA, books: undefined })],
    found: /undone, and not as before/,
  },
]
