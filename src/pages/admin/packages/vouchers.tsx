import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { fullName } from '#accounts/rules.ts'
import { many } from '#foundation/collections.ts'
import { addDays } from '#foundation/dates.ts'
import { formatInstant, formatInstantDate, today } from '#foundation/instants.ts'
import { formatMoney } from '#foundation/money.ts'
import { History } from '#insights/web/history.tsx'
import { studio } from '#studio.ts'
import { Badge } from '#ui/badge.tsx'
import { DateField } from '#ui/form-date-field.tsx'
import { TextField } from '#ui/form-fields.tsx'
import { More } from '#ui/more.tsx'
import { PagedView, usePaging } from '#ui/pager.tsx'
import { type Column, Rows } from '#ui/rows.tsx'
import { type OpenDialog, useDialog } from '#ui/use-dialog.ts'
import { present } from '#ui/use-now.ts'
import { type AdminVoucher, ExtendForm, SendForm } from '#vouchers/contract.ts'
import { STATE_WORDS, VOUCHER_STATES, type VoucherState } from '#vouchers/rules.ts'
import { vouchersApi } from '#vouchers/web/api.ts'
import { ChangeDialog, ConfirmChange } from '../dialog-form.tsx'
import { Breakable, MemberLink } from '../users/member-details.tsx'
import { SELL_VOUCHER, SellVoucherDialog } from '../users/sell-voucher.tsx'
import { SalesHead } from './sales-head.tsx'

const TONES: Record<VoucherState, 'ok' | 'sand' | 'warn' | 'err'> = {
  valid: 'ok',
  redeemed: 'sand',
  expired: 'warn',
  void: 'sand',
  frozen: 'err',
}
const SHOWN: readonly (readonly [string, string])[] = [
  ['', 'All vouchers'],
  ...VOUCHER_STATES.map((state): [string, string] => [state, STATE_WORDS[state]]),
]

/** Gift vouchers with their state, and the way to sell one. */
export function Vouchers() {
  const paging = usePaging()
  const { search, params } = paging
  const [query] = useSearchParams()
  const state = VOUCHER_STATES.find((one) => one === query.get('state'))
  const vouchers = useQuery(vouchersApi.listVouchers.pageOptions({ query: { ...params, state } }))
  const { dialog, open } = useDialog()
  return (
    <>
      <SalesHead
        of="vouchers"
        paging={paging}
        filter={['state', state, SHOWN]}
        sell={SELL_VOUCHER}
        Sale={SellVoucherDialog}
      />
      <Outstanding />
      <PagedView
        query={vouchers}
        failed="The vouchers could not be loaded."
        paging={paging}
        empty={state ? 'No such vouchers' : 'No vouchers yet'}
        noMatches={search && `No vouchers match “${search}”.`}
      >
        {(rows) => (
          <Rows
            label="Vouchers"
            rows={rows}
            keyOf={({ id }) => id}
            columns={COLUMNS}
            menu={(voucher) => <VoucherMenu voucher={voucher} open={open} />}
          />
        )}
      </PagedView>
      {dialog}
    </>
  )
}

function Outstanding() {
  const { data } = useQuery(vouchersApi.getOutstandingVouchers.queryOptions())
  if (!data || data.count === 0) return null
  return (
    <p className="mb-4 text-small text-ink-soft">
      {many(data.count, 'voucher')} worth <strong className="font-medium text-ink">{formatMoney(data.amount)}</strong>{' '}
      not redeemed yet
    </p>
  )
}

const SMALL = 'block text-fine/snug text-ink-mute wrap-anywhere'

function sendingOf({ recipientEmail, sendAt, sentAt }: AdminVoucher): string | undefined {
  if (sentAt) return `emailed ${formatInstantDate(sentAt)}`
  return recipientEmail && sendAt ? `to be emailed ${formatInstant(sendAt)}` : undefined
}

const COLUMNS: readonly Column<AdminVoucher>[] = [
  {
    head: 'For',
    cell: (voucher) => (
      <>
        <span className="wrap-anywhere">{voucher.recipientName || 'Name erased'}</span>
        {voucher.recipientEmail && (
          <span className={SMALL}>
            <Breakable text={voucher.recipientEmail} />
          </span>
        )}
        {sendingOf(voucher) && <span className={SMALL}>{sendingOf(voucher)}</span>}
      </>
    ),
  },
  {
    head: 'Package',
    cell: ({ package: sold, lastFour }) => (
      <>
        <span className="wrap-break-word">{sold.name}</span>
        <span className={SMALL}>Code ends in {lastFour}</span>
      </>
    ),
  },
  {
    head: 'Bought by',
    cell: ({ buyer, soldAt }) => (
      <>
        {buyer ? (
          <MemberLink id={buyer.id}>{fullName(buyer)}</MemberLink>
        ) : (
          <span className="text-ink-mute">Deleted member</span>
        )}
        {soldAt && <span className={SMALL}>{formatInstantDate(soldAt)}</span>}
      </>
    ),
  },
  { head: 'Paid', cell: ({ amount }) => formatMoney(amount), numeric: true },
  {
    head: 'Status',
    aside: true,
    cell: ({ state, expiresAt, redeemedAt, redeemedBy }) => (
      <span className="flex flex-col items-start gap-1 max-lg:items-end max-lg:text-right">
        <Badge tone={TONES[state]}>{STATE_WORDS[state]}</Badge>
        {redeemedAt ? (
          <span className={SMALL}>
            {formatInstantDate(redeemedAt)}
            {redeemedBy && (
              <>
                {' by '}
                <MemberLink id={redeemedBy.id} inText>
                  {fullName(redeemedBy)}
                </MemberLink>
              </>
            )}
          </span>
        ) : (
          state !== 'void' && <span className={SMALL}>until {formatInstantDate(expiresAt)}</span>
        )}
      </span>
    ),
  },
]

function VoucherMenu({ voucher, open }: { voucher: AdminVoucher; open: OpenDialog }) {
  const { state, lastFour, recipientName } = voucher
  if (state === 'redeemed' || state === 'void') return null
  const which = `the voucher${recipientName && ` for ${recipientName}`}, code ending in ${lastFour}`
  const send = voucher.sentAt ? 'Send again' : 'Send now'
  return (
    <More
      of={which}
      items={[
        state !== 'frozen' && {
          label: 'Card',
          name: `Card of ${which}`,
          href: `/api/admin/vouchers/${voucher.id}/card.pdf`,
          opens: 'download',
        },
        state === 'valid' && {
          label: send,
          name: `${send}: ${which}`,
          onSelect: () => open(SendDialog, { voucher }),
        },
        { label: 'Extend', name: `Extend ${which}`, onSelect: () => open(ExtendDialog, { voucher }) },
        { label: 'Void', name: `Void ${which}`, danger: true, onSelect: () => open(VoidDialog, { voucher }) },
      ]}
    />
  )
}

type DialogProps = { voucher: AdminVoucher; onClose: () => void }

function SendDialog({ voucher, onClose }: DialogProps) {
  return (
    <ChangeDialog
      title="Send voucher"
      description={`We’ll email the card with its code and message to ${voucher.recipientName} now.`}
      schema={SendForm}
      values={{ recipientEmail: voucher.recipientEmail ?? '' }}
      mutationFn={(body) => vouchersApi.sendVoucher.call({ params: { id: voucher.id }, body })}
      toasts={{ success: 'Voucher sent', failure: 'Failed to send the voucher' }}
      submit="Send voucher"
      onClose={onClose}
      after={<History subject={`voucher:${voucher.id}`} />}
    >
      <TextField name="recipientEmail" label="Email address" type="email" autoComplete="off" />
    </ChangeDialog>
  )
}

function ExtendDialog({ voucher, onClose }: DialogProps) {
  const now = today(present())
  const last = today(Temporal.Instant.from(voucher.expiresAt))
  return (
    <ChangeDialog
      title="Extend voucher"
      description={`It is valid until ${formatInstantDate(voucher.expiresAt)}. Cards that were printed or emailed still show that day.`}
      schema={ExtendForm}
      values={{ validUntil: '' }}
      mutationFn={(body) => vouchersApi.extendVoucher.call({ params: { id: voucher.id }, body })}
      toasts={{ success: 'Voucher extended', failure: 'Failed to extend the voucher' }}
      submit="Extend voucher"
      onClose={onClose}
    >
      <DateField name="validUntil" label="New last day" min={last < now ? now : addDays(last, 1)} />
    </ChangeDialog>
  )
}

function VoidDialog({ voucher, onClose }: DialogProps) {
  return (
    <ConfirmChange
      title="Void voucher?"
      text={`The voucher for ${voucher.recipientName || `code ending in ${voucher.lastFour}`} can no longer be redeemed. The money stays: to give it back, refund the purchase instead, which voids the voucher too. That is free of charge for ${studio.policies.refundDays} days.`}
      keep="Keep"
      confirm="Void voucher"
      mutationFn={() => vouchersApi.voidVoucher.call({ params: { id: voucher.id } })}
      toasts={{ success: 'Voucher voided', failure: 'Failed to void the voucher' }}
      onClose={onClose}
    />
  )
}
