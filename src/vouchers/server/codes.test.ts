import { expect, test } from 'vitest'
import { throttles } from '#accounts/server/accounts.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { sellVoucher } from '#payments/contract-desk.ts'
import { createVault } from '#platform/vault/vault.ts'
import { shareStudio } from '#testing/studio-under-test.ts'
import { rotateVoucherCodes } from './codes.ts'
import { sellReservedVoucher } from './issue-voucher.ts'
import { redeemVoucher } from './redeem-voucher.ts'

const story = shareStudio()
const CODE = /[A-Z2-9]{4}(?:-[A-Z2-9]{4}){2}/
const NEW_KEY = Buffer.alloc(32, 9)

async function soldCode(): Promise<string> {
  const { studio, dora } = story
  const buyer = await studio.member(`Buyer${Math.random()}`)
  const { id: packageId } = await studio.createPackage({})
  const body = { packageId, method: 'cash' as const, gift: { recipientName: 'Grace' } }
  await dora.call(sellVoucher, { params: { id: buyer.id }, body })
  const mail = (await studio.mailTo(buyer)).find(({ subject }) => subject.startsWith('Your gift voucher'))
  return CODE.exec(mail?.text ?? '')?.[0] ?? ''
}

async function openIntent(userId: string): Promise<string> {
  const { pool } = story.studio.server.database
  const { rows } = await pool.query<{ id: string }>(
    `insert into payment_intents (id, user_id, package_id, amount_pence, lines, class_count, validity_months, state, created_at)
     select 'pi_restored', $1, id, 42400, '[{"amountPence": 42400}]', 8, 4, 'open', now() from packages order by id desc limit 1 returning id`,
    [userId],
  )
  return rows[0]?.id ?? ''
}

test('a code works under the old key, and after the keys were rotated under the new one alone', async () => {
  const { studio, ana } = story
  const code = await soldCode()
  const { transaction } = studio.server.database
  const both = createVault([NEW_KEY, ...studio.settings.healthDataKeys])
  const redeemWith = (keys: readonly Buffer[]) =>
    transaction((tx) => redeemVoucher(tx, createVault(keys), { userId: ana.id, code }, studio.clock.now()))
  await expect(redeemWith([NEW_KEY])).rejects.toMatchObject({ code: 'voucher_not_found' })
  await transaction((tx) => rotateVoucherCodes(tx, both))
  await transaction((tx) => rotateVoucherCodes(tx, both))
  expect(await redeemWith([NEW_KEY])).toMatchObject({ isNew: true })
  const back = createVault([...studio.settings.healthDataKeys, NEW_KEY])
  await transaction((tx) => rotateVoucherCodes(tx, back))
})

test('a payment does not bring back a voucher that a restore ended', async () => {
  const { studio, boris, dora } = story
  const [buyer, code] = [await studio.member('Gil'), await soldCode()]
  const { transaction, pool } = studio.server.database
  expect((await boris.request('POST', '/api/vouchers/redeem', { code })).status).toBe(201)
  // As after the restore: the payment was open in the backup.
  const { rows } = await pool.query<{ id: number; purchase_id: number }>(
    'select id, purchase_id from vouchers where redeemed_by = $1 order by id desc limit 1',
    [boris.id],
  )
  await pool.query(
    `update vouchers set redeemed_by = null, pass_id = null, purchase_id = null, payment_intent_id = $2 where id = $1`,
    [rows[0]?.id, await openIntent(buyer.id)],
  )
  const purchaseId = rows[0]?.purchase_id ?? 0
  const paid = { paymentIntentId: 'pi_restored', purchaseId, buyer: { ...buyer, firstName: 'Gil', lastName: 'Cast' } }
  await transaction((tx) => sellReservedVoucher(tx, paid, studio.clock.now()))
  expect((await studio.mailTo(buyer)).filter(({ subject }) => subject.includes('voucher'))).toEqual([])
  expect((await boris.request('POST', '/api/vouchers/redeem', { code })).body.code).toBe('voucher_redeemed')
  const [line] = (await dora.request('GET', '/api/admin/vouchers')).body
  expect(line).toMatchObject({ id: rows[0]?.id, state: 'redeemed' })
})

test('on a live site a member and a network address have ten tries an hour', async () => {
  const limits = throttles(story.studio.server.database.limited, 'live')
  for (let tries = 1; tries <= 10; tries++) await limits.countVoucherTry('eve', '192.0.2.77')
  const refused = commonRefusals.too_many_requests.message
  await expect(limits.countVoucherTry('eve', '192.0.2.78')).rejects.toThrow(refused)
  await expect(limits.countVoucherTry('adam', '192.0.2.77')).rejects.toThrow(refused)
  await limits.countVoucherTry('adam', '192.0.2.79')
})
