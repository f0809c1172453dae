import { describe, expect, test } from 'vitest'
import { NOW, shareAttackedStudio } from './attacked-under-test.ts'

const { here, refusalOf, refusalOfAll } = shareAttackedStudio()
const LINES = `'[{"amountPence": 4500}]'`
const SOLD = 'user_id, package_id, amount_pence, lines, buyer, class_count, valid_until'
const SOLD_VALUES = `package_id, 4500, ${LINES}, '{}', 1, expires_at`

describe('payments', () => {
  const anIntent = (id: string): [string, unknown[]] => [
    `insert into payment_intents (id, user_id, package_id, amount_pence, lines, class_count, validity_months, state, created_at)
     select $1, $2, package_id, 4500, ${LINES}, 1, 1, 'open', $3 from passes where id = $4`,
    [id, here.carl.id, NOW, here.passId],
  ]
  const aPurchase = (intent: string): [string, unknown[]] => [
    `insert into purchases (payment_intent_id, ${SOLD}, purchased_at)
     select $1, $2, ${SOLD_VALUES}, $3 from passes where id = $4`,
    [intent, here.carl.id, NOW, here.passId],
  ]
  const aPass = (intent: string): [string, unknown[]] => [
    `insert into passes (user_id, package_id, purchase_id, credits_total, expires_at, created_at)
     select p.user_id, p.package_id, b.id, 1, p.expires_at, p.created_at from passes p, purchases b
     where p.id = $2 and b.payment_intent_id = $1`,
    [intent, here.passId],
  ]

  test('one payment is one purchase, and one purchase is one pass', async () => {
    const id = `pi_once_${here.carl.name}`
    expect(await refusalOf(...aPurchase(id))).toMatchObject({ code: '23503' })
    expect(await refusalOfAll([anIntent(id), aPurchase(id), aPass(id)])).toBeUndefined()
    expect(await refusalOf(...aPurchase(id))).toEqual({ code: '23505', constraint: 'one_purchase_per_payment' })
    expect(await refusalOf(...aPass(id))).toEqual({ code: '23505', constraint: 'one_pass_per_purchase' })
  })

  test('accepts positive amounts only', async () => {
    const id = `pi_amount_${here.carl.name}`
    await refusalOfAll([anIntent(id), aPurchase(id)])
    for (const [table, change] of [
      ['payment_intents', 'amount_pence = 0'],
      ['payment_intents', "state = 'paid'"],
      ['payment_intents', "state = 'purchased'"],
      ['purchases', 'amount_pence = -1'],
      ['purchases', 'refunded_pence = -1'],
    ]) {
      const key = table === 'purchases' ? 'payment_intent_id' : 'id'
      expect([change, (await refusalOf(`update ${table} set ${change} where ${key} = $1`, [id]))?.code]).toEqual([
        change,
        '23514',
      ])
    }
  })

  test('lines add up to what is paid, only a code makes a purchase free, and a code is not used more often than allowed', async () => {
    const id = `pi_lines_${here.carl.name}`
    await refusalOfAll([anIntent(id), aPurchase(id)])
    const setLines = (table: string, lines: object[], amount = 4500) =>
      refusalOf(
        `update ${table} set lines = $2, amount_pence = $3 where ${table === 'purchases' ? 'payment_intent_id' : 'id'} = $1`,
        [id, JSON.stringify(lines), amount],
      )
    const lines = [{ amountPence: 5000 }, { amountPence: -500 }]
    for (const [table, constraint] of [
      ['payment_intents', 'lines_of_a_payment_add_up'],
      ['purchases', 'lines_of_a_purchase_add_up'],
    ] as const) {
      expect(await setLines(table, lines)).toBeUndefined()
      expect(await setLines(table, lines, 4501)).toMatchObject({ constraint })
    }
    expect((await setLines('purchases', [], 0))?.code).toBe('23514')
    expect((await setLines('purchases', []))?.code).toBe('23514')

    const text = `CODE-${here.carl.name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')}`.slice(0, 24)
    const use = `insert into promotion_uses (code_id, user_id, payment_intent_id, is_once_per_member, is_first_purchase, used_at)
      select id, $2, $3, false, false, $4 from promotion_codes where code = $1`
    const aCode: [string, unknown[]] = [
      `insert into promotion_codes (code, kind, value, max_uses, once_per_member, first_purchase_only, created_at, updated_at)
       values ($1, 'percent', 10, 1, false, false, $2, $2)`,
      [text, NOW],
    ]
    expect(await refusalOfAll([aCode, [use, [text, here.carl.id, id, NOW]]])).toBeUndefined()
    const other = `pi_other_${here.carl.name}`
    await refusalOfAll([anIntent(other)])
    expect(await refusalOf(use, [text, here.carl.id, other, NOW])).toMatchObject({
      constraint: 'a_code_is_used_at_most_so_often',
    })
    expect(await refusalOf(...aCode)).toMatchObject({ constraint: 'one_live_code_of_a_text' })
  })

  test('never refunds more than was paid in total; failed refunds do not count, and stay on record', async () => {
    const id = `pi_refunds_${here.carl.name}`
    await refusalOfAll([anIntent(id), aPurchase(id)])
    const refund = (pence: number, status: string, more = ''): [string, unknown[]] => [
      `insert into refunds (payment_intent_id, purchase_id, origin, amount_pence, status, created_at, settled_at, sent_at, failure)
       select payment_intent_id, id, 'owner', $2, $3, $4, $4, $4, ${more || 'null'} from purchases where payment_intent_id = $1`,
      [id, pence, status, NOW],
    ]
    const tooMuch = { code: '23514', constraint: 'no_more_goes_back_than_came' }
    expect(await refusalOf(...refund(4501, 'succeeded'))).toEqual(tooMuch)
    expect(await refusalOf(...refund(4000, 'succeeded'))).toBeUndefined()
    expect(await refusalOf(...refund(501, 'succeeded'))).toEqual(tooMuch)
    expect(await refusalOf(...refund(4000, 'failed', "'lost_card'"))).toBeUndefined()
    expect(await refusalOf(...refund(100, 'failed'))).toMatchObject({ constraint: 'a_refund_that_failed_says_why' })
    const fail = `update refunds set status = 'failed', failure = 'expired' where payment_intent_id = $1 and status = 'succeeded'`
    expect(await refusalOf(fail, [id])).toBeUndefined()
    const revive = `update refunds set status = 'succeeded', failure = null where payment_intent_id = $1`
    expect((await refusalOf(revive, [id]))?.code).toBe('23001')
    const { rows } = await here.client.query('select refunded_pence from purchases where payment_intent_id = $1', [id])
    expect(rows).toEqual([{ refunded_pence: 0 }])
  })

  test('a sale at the desk has no payment, is the only one to be voided, and gives its money back at once', async () => {
    const aSale = (more: string): [string, unknown[]] => [
      `insert into purchases (${SOLD}, purchased_at, payment_intent_id, desk_method, note, voided_at)
       select $1, ${SOLD_VALUES}, $2, ${more} from passes where id = $3`,
      [here.carl.id, NOW, here.passId],
    ]
    for (const [what, more, constraint] of [
      ['paid nowhere', `null, null, null, null`, 'a_purchase_is_paid_at_the_provider_or_at_the_desk'],
      ['paid twice', `'pi_twice', 'cash', null, null`, 'a_purchase_is_paid_at_the_provider_or_at_the_desk'],
      ['barter', `null, 'barter', null, null`, 'purchases_desk_method_check'],
    ] as const)
      expect([what, await refusalOf(...aSale(more))]).toEqual([what, { code: '23514', constraint }])
    expect(await refusalOf(...aSale(`null, 'cash', 'Carl paid', null`))).toBeUndefined()
    const id = `pi_desk_${here.carl.name}`
    await refusalOfAll([anIntent(id), aPurchase(id)])
    const voided = `update purchases set voided_at = now() where payment_intent_id = $1`
    expect(await refusalOf(voided, [id])).toMatchObject({ constraint: 'only_the_desk_writes_notes_and_voids' })
    const refund = (status: string): [string, unknown[]] => [
      `insert into refunds (purchase_id, origin, amount_pence, status, created_at, sent_at, settled_at)
       select id, 'owner', 100, '${status}', $2, $2, case when '${status}' = 'succeeded' then $2::timestamptz end
         from purchases where user_id = $1 and desk_method is not null`,
      [here.carl.id, NOW],
    ]
    expect(await refusalOf(...refund('pending'))).toMatchObject({
      constraint: 'money_given_back_at_the_desk_is_given_back',
    })
    expect(await refusalOf(...refund('succeeded'))).toBeUndefined()
    const both = `update purchases set voided_at = now() where user_id = $1 and desk_method is not null`
    expect(await refusalOf(both, [here.carl.id])).toMatchObject({ constraint: 'a_voided_sale_is_not_refunded' })
    const nameless = `update purchases set buyer = null where user_id = $1 and desk_method is not null`
    expect(await refusalOf(nameless, [here.carl.id])).toMatchObject({ constraint: 'a_buyer_goes_with_their_account' })
  })

  test('a purchase outlives its member, without them', async () => {
    const id = `pi_kept_${here.carl.name}`
    await refusalOfAll([anIntent(id), aPurchase(id)])
    await here.client.query('delete from passes where user_id = $1', [here.carl.id])
    expect(await refusalOf('delete from users where id = $1', [here.carl.id])).toBeUndefined()
    expect(
      (await here.client.query('select user_id, buyer, amount_pence from purchases where payment_intent_id = $1', [id]))
        .rows,
    ).toEqual([{ user_id: null, buyer: null, amount_pence: 4500 }])
  })
})
