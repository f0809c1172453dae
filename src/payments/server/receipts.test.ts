import { describe, expect, test } from 'vitest'
import { addMember } from '#accounts/contract-invitations.ts'
import { editProfile } from '#accounts/contract-profile.ts'
import { editStudio } from '#facts/contract.ts'
import { vatIn } from '#facts/rules.ts'
import { loadVatByDay } from '#facts/server/facts.ts'
import { defined } from '#foundation/collections.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { getReport } from '#insights/contract.ts'
import { buy } from '#insights/server/purchases-under-test.ts'
import { editPackage } from '#packages/contract.ts'
import { deleteUser } from '#privacy/contract.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, shareStudio } from '#testing/studio-under-test.ts'
import { redeemVoucher } from '#vouchers/contract.ts'
import { listPurchases, paymentRefusals, refundPurchase } from '../contract.ts'
import { recordSale, sellVoucher, voidSale } from '../contract-desk.ts'
import * as contract from '../contract-receipts.ts'
import { movementsOf } from './movements.ts'
import { receiptWords } from './paper/receipt-paper.ts'
import { sumsOf } from './paper/statement-paper.ts'
import { receiptOf } from './receipts.ts'

const story = shareStudio({ now: 'Monday 09:00' })

const sell = async (member: Person, packageId: number, more: object = {}) =>
  (await story.dora.call(recordSale, { params: { id: member.id }, body: { packageId, method: 'cash', ...more } })).body
/** A CSV as rows of cells. */
const linesOf = (file: unknown) => String(file).replace('\ufeff', '').split('\r\n').filter(Boolean)
const DECEMBER = { from: '2026-12-01', to: '2026-12-31' }

describe('receipt numbers', () => {
  test('are consecutive under concurrent sales, and a rolled-back sale leaves no gap', async () => {
    const { studio, dora } = story
    const sold = await studio.createPackage({ name: 'Numbered', price: '30.00' })
    const once = await studio.createPackage({ name: 'Once', price: '30.00', purchaseOncePerUser: true })
    const before = await studio.count('select coalesce(max(receipt_number), 0) from purchases')
    const members = await Promise.all(['Nia', 'Noah', 'Nell'].map((name) => studio.member(name)))
    const responses = await Promise.all(
      members.flatMap((member) => [
        dora.call(recordSale, { params: { id: member.id }, body: { packageId: sold.id, method: 'cash' } }),
        dora.call(recordSale, { params: { id: member.id }, body: { packageId: once.id, method: 'cash' } }),
        dora.call(recordSale, { params: { id: member.id }, body: { packageId: once.id, method: 'cash' } }),
      ]),
    )
    const numbers = responses.flatMap(({ status, body }) => (status === 201 ? [body.receiptNumber - before] : []))
    expect(numbers.sort()).toEqual([1, 2, 3, 4, 5, 6])
    const { pool } = studio.server.database
    await expect(pool.query('update purchases set receipt_number = receipt_number + 100')).rejects.toThrow(
      'a receipt keeps its number',
    )
    await pool.query('begin').then(() => pool.query('rollback'))
    const next = await sell(defined(members[0]), sold.id)
    expect(next.receiptNumber).toBe(before + 7)
  })
})

describe('a receipt', () => {
  test('shows amount, method, refunds and the VAT of the day of the sale', async () => {
    const { studio, dora } = story
    const greta = await studio.member('Greta')
    const sold = await studio.createPackage({ name: 'Four', price: '120.00', classCount: 4, validityMonths: 2 })
    studio.travelTo('Monday 10:00')
    await dora.call(editStudio, { body: { vat: { number: 'GB 123 4567 89', rate: 20 } } })
    studio.travelTo('Monday 11:00')
    const since = await sell(greta, sold.id)
    await dora.call(refundPurchase, { params: { id: since.id }, body: { amount: '30', reason: 'A kindness' } })
    const vat = { number: 'GB 123 4567 89', rate: 20 }
    expect(receiptWords(await receiptOf(studio.db, { id: since.id }), vat)).toEqual({
      title: `Receipt ${since.receiptNumber}`,
      facts: [
        ['Receipt number', String(since.receiptNumber)],
        ['Date', '07/12/2026'],
        ['For', 'Greta Cast, greta@people.example'],
        ['Paid with', 'Cash'],
      ],
      lines: [
        ['Four, 4 classes, valid until 07/02/2027', '£120.00'],
        ['Refunded on 07/12/2026', '-£30.00'],
      ],
      total: ['Paid, less what was refunded', '£90.00'],
      note: 'This includes VAT at 20%: £15.00.',
    })
    const lines = linesOf((await dora.call(contract.exportPurchases, { query: DECEMBER })).body)
    const gretas = lines.filter((line) => line.includes('greta@')).map((line) => line.split(','))
    expect(gretas.map((cells) => [cells[1], cells[2], ...cells.slice(7, 13)])).toEqual([
      ['Sale', String(since.receiptNumber), '120.00', '0.00', '0.00', '120.00', '20.00', '20%'],
      ['Refund', String(since.receiptNumber), '0.00', '0.00', '30.00', '-30.00', '-5.00', '20%'],
    ])
    await dora.call(editStudio, { body: { vatPeriods: [] } })
    studio.travelTo('Monday 09:00')
  })

  test('uses the VAT of the day of the sale, for refunds too, and a rate corrected later', async () => {
    const { studio, ana, dora } = await openStudio({ now: 'Monday 09:00' })
    const sold = await studio.createPackage({ name: 'Corrected', price: '120.00' })
    const { body: sale } = await dora.call(recordSale, {
      params: { id: ana.id },
      body: { packageId: sold.id, method: 'cash' },
    })
    const vatShown = async () => {
      const vatAt = await loadVatByDay(studio.db)
      const of = await receiptOf(studio.db, { id: sale.id })
      const lines = await Array.fromAsync(movementsOf(studio.db, {}))
      const file = linesOf((await dora.call(contract.exportPurchases, {})).body).slice(1)
      return [
        receiptWords(of, vatAt(of.purchase.purchasedAt)).note,
        sumsOf(lines, ({ soldAt, ...line }) => vatIn(line.grossPence - line.refundPence, vatAt(soldAt))).all.vatPence,
        ...file.map((line) => line.split(',').slice(11, 13).join(' ')),
      ]
    }
    const registerForVat = (rate: number, from: string) =>
      dora.call(editStudio, { body: { vatPeriods: [{ from, vat: { number: 'GB 123 4567 89', rate } }] } })

    studio.travelTo('Tuesday 09:00')
    await registerForVat(20, '2026-12-08')
    await dora.call(refundPurchase, { params: { id: sale.id }, body: { amount: '60', reason: 'A kindness' } })
    const unregistered = 'No VAT is charged: the studio is not registered for VAT.'
    expect(await vatShown()).toEqual([unregistered, 0, '0.00 not registered', '0.00 not registered'])
    await registerForVat(2, '2026-12-07')
    expect(await vatShown()).toEqual(['This includes VAT at 2%: £1.18.', 117, '2.35 2%', '-1.18 2%'])
    await registerForVat(20, '2026-12-07')
    expect(await vatShown()).toEqual(['This includes VAT at 20%: £10.00.', 1000, '20.00 20%', '-10.00 20%'])
  })

  test('of a voided sale shows that and a zero total; it names nobody once the member is gone', async () => {
    const { studio, dora } = story
    const hal = await studio.member('Hal')
    const sold = await studio.createPackage({ name: 'Mistake', price: '40.00' })
    const { id, receiptNumber } = await sell(hal, sold.id)
    await dora.call(voidSale, { params: { id: hal.id, purchaseId: id } })
    const words = receiptWords(await receiptOf(studio.db, { id }), null)
    expect(words).toMatchObject({ title: `Receipt ${receiptNumber} (void)`, total: ['Paid', '£0.00'] })
    await dora.request('DELETE', `/api/admin/users/${hal.id}`)
    expect(receiptWords(await receiptOf(studio.db, { id }), null).facts).toContainEqual(['For', 'A former member'])
    expect((await dora.call(contract.receiptForAdmin, { params: { id } })).status).toBe(200)
  })

  test('is a PDF for its member and the owner only', async () => {
    const { studio, boris, dora } = story
    const ida = await studio.member('Ida')
    await dora.request('PUT', `/api/admin/users/${ida.id}`, { firstName: 'Łucja' })
    const sold = await studio.createPackage({ name: 'Zażółć gęślą jaźń, £', price: '40.00' })
    const { id, receiptNumber } = await sell(ida, sold.id)
    expect(await boris.call(contract.ownReceipt, { params: { id } })).toBeRefused(paymentRefusals.purchase_not_found)
    expect(await boris.call(contract.receiptForAdmin, { params: { id } })).toBeRefused(commonRefusals.forbidden)
    for (const [who, endpoint] of [
      [ida, contract.ownReceipt],
      [dora, contract.receiptForAdmin],
    ] as const) {
      const { status, headers, body } = await who.call(endpoint, { params: { id } })
      expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf'])
      expect(headers.get('content-disposition')).toBe(`attachment; filename="receipt-${receiptNumber}.pdf"`)
      expect(body).toMatch(/^%PDF-1\.\d.*%%EOF\s*$/s)
      expect(body).toContain(`(Receipt ${receiptNumber}, Aldergate Pilates)`)
      // The project's own font is embedded.
      expect(body).toMatch(/\/FontName \/\w+\+Figtree/)
    }
    const [own] = await ida.read(contract.listOwnPurchases)
    expect(own).toMatchObject({ id, receiptNumber, method: 'Cash', amount: '40.00', voidedAt: null })
    expect(await boris.read(contract.listOwnPurchases)).toEqual([])
  })
})

describe('the accountant’s file', () => {
  test('has a line per sale and refund with name and email, and adds up to the report', async () => {
    const { studio, dora } = story
    const eve = await studio.member('=Eve')
    const sold = await studio.createPackage({ name: 'Sum', price: '100.00' })
    const { id } = await sell(eve, sold.id)
    await dora.call(refundPurchase, { params: { id } })
    const response = await dora.call(contract.exportPurchases, { query: DECEMBER })
    expect(response.headers.get('content-disposition')).toContain('purchases-2026-12-01-to-2026-12-31.csv')
    const [head, ...lines] = linesOf(response.body)
    expect(head).toBe(
      'Date,Type,Receipt number,Member,Email,Package,Paid by,Gross (£),Fee kept (£),Refund (£),Net (£),VAT (£),VAT rate,Card fee (£),Net of card fee (£),Payout date,Payout,Price (£),Discount (£),Discount for,Gift voucher,Voucher state,Voucher redeemed,Voucher valid until',
    )
    // Names never become formulas; negative amounts stay numbers.
    expect(lines.filter((line) => line.includes('=eve@')).map((line) => line.split(',').slice(3, 13))).toEqual([
      [
        "'=Eve Cast",
        "'=eve@people.example",
        'Sum',
        'Cash',
        '100.00',
        '0.00',
        '0.00',
        '100.00',
        '0.00',
        'not registered',
      ],
      [
        "'=Eve Cast",
        "'=eve@people.example",
        'Sum',
        'Cash',
        '0.00',
        '10.00',
        '90.00',
        '-90.00',
        '0.00',
        'not registered',
      ],
    ])
    const net = lines.reduce((sum, line) => sum + Number(line.split(',').at(-14)), 0)
    const { revenue } = await dora.read(getReport, { query: DECEMBER })
    expect(net.toFixed(2)).toBe(revenue[0]?.revenue)
    // Cut exactly at London midnights.
    for (const query of [{ to: '2026-12-06' }, { from: '2026-12-08' }, { from: '2026-12-08', to: '2026-12-31' }])
      expect(linesOf((await dora.call(contract.exportPurchases, { query })).body)).toHaveLength(1)
    expect(linesOf((await dora.call(contract.exportPurchases, {})).body)).toHaveLength(lines.length + 1)
  })

  test('is cut at London midnights, without failed refunds', async () => {
    const { studio, dora } = story
    const fay = await studio.member('Fay')
    const sold = await studio.createPackage({ name: 'Cut', price: '60.00' })
    const linesOfFay = async (query: object) =>
      linesOf((await dora.call(contract.exportPurchases, { query })).body).filter((line) => line.includes('fay@'))
    studio.travelTo('2026-12-09 00:00')
    const intentId = await buy(studio, fay, sold)
    expect(await linesOfFay({ to: '2026-12-08' })).toEqual([])
    expect(await linesOfFay({ from: '2026-12-09', to: '2026-12-09' })).toHaveLength(1)
    await studio.server.database.pool.query(
      `insert into refunds (payment_intent_id, purchase_id, origin, amount_pence, status, failure, created_at, settled_at)
       select payment_intent_id, id, 'owner', 100, 'failed', 'lost_card', purchased_at, purchased_at from purchases
        where payment_intent_id = $1`,
      [intentId],
    )
    expect(await linesOfFay({})).toHaveLength(1)
    studio.travelTo('Monday 09:00')
  })

  test('names gift vouchers and their state, on the sale and on its refund', async () => {
    const { studio, dora, ana } = story
    const gil = await studio.member('Gil')
    const sold = await studio.createPackage({ name: 'Gifted', price: '90.00' })
    const gift = { recipientName: 'Grace' }
    const sellOne = async () =>
      (
        await dora.call(sellVoucher, {
          params: { id: gil.id },
          body: { packageId: sold.id, method: 'bank_transfer', gift },
        })
      ).body
    const [kept, refunded] = [await sellOne(), await sellOne()]
    const { text } = defined((await studio.mailTo(gil)).find((mail) => mail.text.includes(kept.lastFour)))
    const code = defined(/[2-9A-Z]{4}(?:-[2-9A-Z]{4}){2}/.exec(text)?.[0])
    await ana.call(redeemVoucher, { body: { code } })
    const [latest] = await dora.read(listPurchases, { query: { userId: gil.id } })
    await dora.call(refundPurchase, { params: { id: defined(latest).id }, body: {} })
    const file = linesOf((await dora.call(contract.exportPurchases, { query: DECEMBER })).body)
    const cells = file.filter((line) => line.includes('gil@')).map((line) => line.split(','))
    expect(cells.map((line) => [line[1], line[10], ...line.slice(-4)])).toEqual([
      ['Sale', '90.00', `…${kept.lastFour}`, 'Redeemed', '07/12/2026', '07/12/2028'],
      ['Sale', '90.00', `…${refunded.lastFour}`, 'Void', '', '07/12/2028'],
      ['Refund', '-90.00', `…${refunded.lastFour}`, 'Void', '', '07/12/2028'],
    ])
  })

  test('is for the owner; invalid months and periods are refused', async () => {
    const { ana, dora } = story
    expect(await ana.call(contract.exportPurchases, { query: DECEMBER })).toBeRefused(commonRefusals.forbidden)
    expect(await ana.call(contract.studioStatement, { query: { month: '2026-12' } })).toBeRefused(
      commonRefusals.forbidden,
    )
    for (const month of ['2026-13', '2026-1', 'December', ''])
      expect([month, (await dora.call(contract.studioStatement, { query: { month } })).status]).toEqual([month, 400])
    const backwards = { from: '2026-12-31', to: '2026-12-01' }
    expect((await dora.call(contract.exportPurchases, { query: backwards })).status).toBe(400)
  })
})

test("a monthly statement covers all sales, or a member's own; its totals match its lines", async () => {
  const { studio, dora } = story
  const may = await studio.member('May')
  const sold = await studio.createPackage({ name: 'Stated', price: '50.00' })
  await sell(may, sold.id, { method: 'bank_transfer' })
  const { id } = await sell(may, sold.id)
  await dora.call(refundPurchase, { params: { id }, body: { amount: '20', reason: 'A kindness' } })
  const own = await Array.fromAsync(movementsOf(studio.db, { userId: may.id }))
  expect(sumsOf(own, () => 0)).toEqual({
    byMethod: [
      ['Bank transfer', { sales: 1, grossPence: 5000, refundPence: 0, vatPence: 0 }],
      ['Cash', { sales: 1, grossPence: 5000, refundPence: 2000, vatPence: 0 }],
    ],
    all: { sales: 2, grossPence: 10_000, refundPence: 2000, vatPence: 0 },
  })
  for (const [who, endpoint] of [
    [may, contract.ownStatement],
    [dora, contract.studioStatement],
  ] as const) {
    for (const month of ['2026-12', '2026-11']) {
      const { status, headers, body } = await who.call(endpoint, { query: { month } })
      expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf'])
      expect(headers.get('content-disposition')).toBe(`attachment; filename="statement-${month}.pdf"`)
      expect(body).toContain(`(Statement for ${month === '2026-12' ? 'December' : 'November'} 2026`)
    }
  }
})

describe('a sale is a record', () => {
  const booksOf = async (id: number, userId?: string) => {
    const { studio, dora } = story
    const { lines, facts } = receiptWords(await receiptOf(studio.db, { id }), null)
    const [movement] = await Array.fromAsync(movementsOf(studio.db, userId ? { userId } : {}))
    const [listed] = userId ? await dora.read(listPurchases, { query: { userId } }) : []
    const file = linesOf((await dora.call(contract.exportPurchases, { query: DECEMBER })).body)
    const receipt = String((await receiptOf(studio.db, { id })).purchase.receiptNumber)
    return {
      receipt: [facts[2], lines[0]],
      movement: [movement?.member, movement?.packageName],
      listed: [listed?.package.name, listed?.lines, listed?.user?.firstName],
      file: file.map((line) => line.split(',').slice(0, 8)).filter((cells) => cells[2] === receipt),
    }
  }

  test('which no later name, price or validity changes', async () => {
    const { studio, dora } = story
    const eve = await studio.member('Eve')
    const sold = await studio.createPackage({ name: 'Intro 3 Pass', price: '45.50', classCount: 3 })
    const { id } = await sell(eve, sold.id)
    const before = await booksOf(id, eve.id)
    expect(before.receipt).toEqual([
      ['For', 'Eve Cast, eve@people.example'],
      ['Intro 3 Pass, 3 classes, valid until 07/04/2027', '£45.50'],
    ])
    const renamed = { ...sold, name: 'Kickstart 10 Classes', price: '99.00', classCount: 10, validityMonths: 1 }
    expect((await dora.call(editPackage, { params: { id: sold.id }, body: renamed })).status).toBe(200)
    await eve.call(editProfile, { body: { firstName: 'Evelyn', lastName: 'Newname' } })
    await studio.server.database.pool.query("update passes set expires_at = '2030-01-01' where user_id = $1", [eve.id])
    expect(await booksOf(id, eve.id)).toEqual(before)
    expect((await eve.read(contract.listOwnPurchases))[0]?.package.name).toBe('Intro 3 Pass')
    for (const search of ['intro eve', 'newname', 'evelyn'])
      expect((await dora.read(listPurchases, { query: { search } })).map((purchase) => purchase.id)).toEqual([id])
    await dora.call(refundPurchase, { params: { id }, body: { amount: '5', reason: 'A kindness' } })
    const mails = (await studio.mailTo(eve)).map(({ text }) => text)
    expect(mails.at(-1)).toContain('We have given back £5.00 for Intro 3 Pass in cash.')
  })

  test('with the phone number of a buyer without an address, and without name and number once they are erased', async () => {
    const { studio, dora } = story
    const body = { firstName: 'Winifred', lastName: 'Cast', phone: '01632 960123' }
    const { body: winifred } = await dora.call(addMember, { body })
    const sold = await studio.createPackage({ name: 'By phone', price: '30.00' })
    const { id } = await sell(winifred, sold.id)
    const before = await booksOf(id, winifred.id)
    expect(before.receipt[0]).toEqual(['For', 'Winifred Cast, 01632 960123'])
    expect(before.file.map((cells) => cells.slice(3, 5))).toEqual([['Winifred Cast', '01632 960123']])
    expect((await dora.call(deleteUser, { params: { id: winifred.id } })).status).toBe(200)
    const after = await booksOf(id)
    expect(after.receipt).toEqual([['For', 'A former member'], before.receipt[1]])
    expect(after.file.map((cells) => cells.slice(3, 8))).toEqual([['', '', 'By phone', 'Cash', '30.00']])
  })
})

describe('a tax year', () => {
  const TAX_YEAR = { from: '2026-04-06', to: '2027-04-05' }

  test('is one file and one statement, cut at London midnights', async () => {
    const { studio, ana, dora } = await openStudio({ now: 'Monday 09:00' })
    const sold = await studio.createPackage({ name: 'Yearly', price: '50.00' })
    // London is an hour ahead of UTC.
    const midnights = ['2026-04-05T22:59:59Z', '2026-04-05T23:00Z', '2027-04-05T22:59:59Z', '2027-04-05T23:00Z']
    for (const [index, at] of midnights.entries()) {
      const body = { packageId: sold.id, method: 'cash' as const, amount: `${index + 1}.00` }
      const { body: sale } = await dora.call(recordSale, { params: { id: ana.id }, body })
      await studio.server.database.pool.query('update purchases set purchased_at = $2 where id = $1', [sale.id, at])
    }
    const file = linesOf((await dora.call(contract.exportPurchases, { query: TAX_YEAR })).body).slice(1)
    expect(file.map((line) => line.split(',')[7])).toEqual(['2.00', '3.00'])
    const { status, headers, body } = await dora.call(contract.studioStatement, { query: TAX_YEAR })
    expect(status).toBe(200)
    expect(headers.get('content-disposition')).toContain('"statement-2026-04-06-to-2027-04-05.pdf"')
    expect(body).toContain('(Statement for the tax year 2026/27, Aldergate Pilates)')
  })

  test('may be any two days; a statement has at most two years, a file ten', async () => {
    const { dora } = story
    const statusOf = async (query: object) => (await dora.call(contract.studioStatement, { query })).status
    expect(await statusOf({ from: '2026-12-01', to: '2026-12-01' })).toBe(200)
    expect(await statusOf({ from: '2025-01-01', to: '2026-12-31' })).toBe(200)
    expect(await statusOf({ from: '2025-01-01', to: '2027-01-01' })).toBe(400)
    expect(await statusOf({ from: '2026-12-02', to: '2026-12-01' })).toBe(400)
    for (const query of [{}, { from: '2026-12-01' }, { to: '2026-12-01' }]) expect(await statusOf(query)).toBe(400)
    const fileStatus = async (to: string) =>
      (await dora.call(contract.exportPurchases, { query: { from: '2020-01-01', to } })).status
    expect([await fileStatus('2029-12-31'), await fileStatus('2030-01-01')]).toEqual([200, 400])
  })
})
