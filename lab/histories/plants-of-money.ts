import * as money from '#testing/histories/money-steps.ts'
import * as time from '#testing/histories/time-steps.ts'
import { ANA, ASTER, after, before, books, type Plant, unlocked } from './plant.ts'

const BOUGHT = money.buys.of({ who: ANA, what: 0, herald: 'browser' })
const DISPUTED = money.disputes.of({ which: 0, isInquiry: false, isTold: true })

/** Bugs about money. */
export const MONEY_PLANTS: Plant[] = [
  {
    bug: 'a payment becomes two purchases: no lock, no constraint',
    sql: `${before('purchases', 'insert', 'perform pg_sleep(0.2); return new')};
      alter table purchases drop constraint one_purchase_per_payment`,
    undo: 'alter table purchases add constraint one_purchase_per_payment unique (payment_intent_id)',
    rewrite: unlocked,
    story: [money.buys.of({ who: ANA, what: 0, herald: 'both' })],
    found: /a purchase without exactly one pass/,
  },
  {
    bug: 'a refunded pass can still be spent',
    sql: before('credit_ledger', "insert when new.kind = 'refund'", 'return null'),
    story: [BOUGHT, money.refundsHere.of({ which: 0, part: undefined, credits: 0, sends: true })],
    found: /was refunded and still holds credits/,
  },
  {
    bug: 'a refund is counted twice',
    sql: after(
      'refunds',
      'insert',
      'update purchases set refunded_pence = refunded_pence + new.amount_pence where id = new.purchase_id',
    ),
    story: [BOUGHT, money.refundsHere.of({ which: 0, part: '5.00', credits: 0, sends: true })],
    found: /refunds are counted otherwise/,
  },
  {
    bug: 'a refund made at the provider is not kept',
    sql: before('refunds', "insert when new.origin = 'provider'", 'return null'),
    story: [BOUGHT, money.refundsThere.of({ which: 0, part: 500, isTold: true })],
    found: /told what did not happen: Ana is refunded £5.00 of Three/,
  },
  {
    bug: 'a frozen pass pays',
    rewrite: (text) =>
      /^select .* from "passes" where "passes"."user_id" .*for no key update/.test(text)
        ? text.replace('"frozen_at"', 'null::timestamptz')
        : text,
    story: [BOUGHT, DISPUTED, books(ANA, ASTER)],
    found: /is frozen and pays for booking 1/,
  },
  {
    bug: 'a won dispute gives no time back',
    sql: before(
      'passes',
      'update when old.frozen_at is not null and new.frozen_at is null',
      'new.expires_at := old.expires_at; return new',
    ),
    story: [BOUGHT, DISPUTED, time.passes.of({ hours: 72 }), money.decides.of({ which: 0, isWon: true, isTold: true })],
    found: /lost the time it was frozen/,
  },
  {
    bug: 'a lost dispute leaves the classes it paid',
    sql: before('bookings', "update when new.status = 'cancelled'", 'return old'),
    story: [BOUGHT, books(ANA, ASTER), DISPUTED, money.decides.of({ which: 0, isWon: false, isTold: true })],
    found: /has ended and booking 1 stands/,
  },
]
