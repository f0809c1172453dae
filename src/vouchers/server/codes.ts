import { randomInt } from 'node:crypto'
import { and, asc, eq, inArray, isNotNull, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import { onlyRow, type Reader, type Tx } from '#platform/database/database.ts'
import type { Vault } from '#platform/vault/vault.ts'
import { CODE_LENGTH, CODE_LETTERS, normalCode } from '../rules.ts'
import { type VoucherRow, vouchers } from '../tables.ts'

const PURPOSE = 'voucher-code'
/** The code's place in the vault: its last four letters, because the row has no id before it is written. */
const placeOf = (lastFour: string) => ({ owner: 'vouchers', row: lastFour, version: 1 })

/** A new code, as the columns that store it. */
export function newCode(vault: Vault) {
  const letters = Array.from({ length: CODE_LENGTH }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)])
  return columnsOf(vault, letters.join(''))
}

function columnsOf(vault: Vault, code: string) {
  const lastFour = code.slice(-4)
  return { codeHmac: fingerprintOf(vault, code), sealedCode: vault.seal(placeOf(lastFour), PURPOSE, code), lastFour }
}

function fingerprintOf(vault: Vault, code: string): Buffer {
  return onlyRow(vault.fingerprints(PURPOSE, code).slice(0, 1))
}

/** The code of a voucher; undefined if its key is lost. */
export function codeOf(vault: Vault, { lastFour, sealedCode }: VoucherRow): string | undefined {
  return vault.openIfReadable(placeOf(lastFour), { purpose: PURPOSE, shape: z.string() }, sealedCode)
}

/** Locks the voucher of a code as typed. */
export async function voucherOfCodeForUpdate(tx: Tx, vault: Vault, typed: string): Promise<VoucherRow | undefined> {
  const fingerprints = vault.fingerprints(PURPOSE, normalCode(typed))
  const [found] = await tx
    .select()
    .from(vouchers)
    .where(and(inArray(vouchers.codeHmac, fingerprints), isNotNull(vouchers.soldAt)))
    .for('update')
  return found
}

/** Seals codes again under the newest key. Unreadable ones stay as they are. */
export async function rotateVoucherCodes(tx: Tx, vault: Vault): Promise<void> {
  const rows = await tx
    .select()
    .from(vouchers)
    .where(sql`substring(${vouchers.sealedCode} from 2 for 8) <> ${vault.newestKeyId}`)
    .orderBy(asc(vouchers.id))
    .for('update')
  for (const row of rows) {
    const code = codeOf(vault, row)
    if (code) await tx.update(vouchers).set(columnsOf(vault, code)).where(eq(vouchers.id, row.id))
  }
}

/** When a voucher was emailed to its recipient, and its buyer reminded, by the HMAC of its code. */
export type MailedVoucher = { hmac: Buffer; sentAt: Temporal.Instant | null; remindedAt: Temporal.Instant | null }

/** The vouchers whose recipient or buyer has been emailed. */
export async function mailedVouchers(reader: Reader): Promise<MailedVoucher[]> {
  return await reader
    .select({ hmac: vouchers.codeHmac, sentAt: vouchers.sentAt, remindedAt: vouchers.remindedAt })
    .from(vouchers)
    .where(or(isNotNull(vouchers.sentAt), isNotNull(vouchers.remindedAt)))
    .orderBy(asc(vouchers.id))
}

/** Keeps vouchers of a restored database from being emailed again, unless their payment was open at the backup. */
export async function restoreMailed(tx: Tx, mailed: readonly MailedVoucher[]): Promise<void> {
  for (const { hmac, sentAt, remindedAt } of mailed) {
    await tx
      .update(vouchers)
      .set({ sentAt, remindedAt })
      .where(and(eq(vouchers.codeHmac, hmac), isNotNull(vouchers.soldAt)))
  }
}
