import { useQuery } from '@tanstack/react-query'
import { formatDate } from '#foundation/dates.ts'
import { today } from '#foundation/instants.ts'
import { formatMoney } from '#foundation/money.ts'
import { History } from '#insights/web/history.tsx'
import { usePackages } from '#packages/web/packages.ts'
import { CodeDialogForm, type CodeTypedForm, type PromotionCode } from '#payments/contract-codes.ts'
import { staffPaymentsApi } from '#payments/web/staff-api.ts'
import { Badge } from '#ui/badge.tsx'
import { SelectField, Tick } from '#ui/form-choices.tsx'
import { DateField } from '#ui/form-date-field.tsx'
import { TextField } from '#ui/form-fields.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { RowButton, Rows } from '#ui/rows.tsx'
import { useDialog } from '#ui/use-dialog.ts'
import { present } from '#ui/use-now.ts'
import { ChangeDialog, ConfirmChange } from '../dialog-form.tsx'

/** `10% off`, `£5.00 off`. */
const discountOf = ({ kind, value }: PromotionCode) => `${kind === 'percent' ? `${value}%` : formatMoney(value)} off`

function stateOf({ endedAt, from, until }: PromotionCode): 'Ended' | 'Not yet' | undefined {
  const day = today(present())
  if (endedAt || (until && until < day)) return 'Ended'
  return from && from > day ? 'Not yet' : undefined
}

/** `Used 3 of 20 times`; payments under way are not uses yet. */
function usedOf({ uses, reserved, maxUses }: PromotionCode): string {
  const used = uses - reserved
  if (maxUses !== null) return `Used ${used} of ${maxUses} times`
  if (used === 0) return 'Not used yet'
  return used === 1 ? 'Used once' : `Used ${used} times`
}

/** Promotion codes and how often each was used. */
export function PromotionCodes() {
  const { dialog, open } = useDialog()
  const packages = usePackages().data ?? []
  const nameOf = (id: number) => packages.find((sold) => sold.id === id)?.name ?? 'a hidden package'
  return (
    <>
      <QueryView
        query={useQuery(staffPaymentsApi.listPromotionCodes.queryOptions())}
        failed="The codes could not be loaded."
        empty="No codes yet. Members type one at the checkout and pay less."
      >
        {(codes) => (
          <Rows
            label="Codes"
            rows={codes}
            keyOf={({ id }) => id}
            columns={[
              { head: 'Code', cell: ({ code }) => code },
              {
                head: 'Takes off',
                aside: true,
                cell: (code) => (
                  <span className="whitespace-nowrap">
                    {stateOf(code) && <Badge tone="sand">{stateOf(code)}</Badge>} {discountOf(code)}
                  </span>
                ),
              },
              {
                head: 'Used',
                cell: (code) => usedOf(code) + (code.reserved > 0 ? `, ${code.reserved} at the checkout now` : ''),
              },
              {
                head: 'For',
                cell: ({ packageIds }) => (packageIds ? packageIds.map(nameOf).join(', ') : 'Every package'),
              },
              { head: 'Limits', cell: limitsOf },
            ]}
            actions={(code) =>
              !code.endedAt && (
                <>
                  <RowButton label="Edit" name={`Edit ${code.code}`} onClick={() => open(CodeDialog, { code })} />
                  <RowButton
                    label="End"
                    name={`End ${code.code}`}
                    danger
                    onClick={() => open(EndCodeDialog, { code })}
                  />
                </>
              )
            }
          />
        )}
      </QueryView>
      {dialog}
    </>
  )
}

/** `From 01/12/2026, once per member`; empty without any. */
function limitsOf({ from, until, oncePerMember, firstPurchaseOnly }: PromotionCode): string {
  const limits = [
    from && `from ${formatDate(from)}`,
    until && `until ${formatDate(until)}`,
    oncePerMember && 'once per member',
    firstPurchaseOnly && 'for a first purchase',
  ]
  const text = limits.filter(Boolean).join(', ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const EMPTY: CodeTypedForm = {
  code: '',
  kind: 'percent',
  value: '',
  only: {},
  from: '',
  until: '',
  maxUses: '',
  oncePerMember: true,
  firstPurchaseOnly: false,
}

const typedOf = (code: PromotionCode): CodeTypedForm => ({
  code: code.code,
  kind: code.kind,
  value: String(code.value),
  only: Object.fromEntries((code.packageIds ?? []).map((id) => [`p${id}`, true])),
  from: code.from ?? '',
  until: code.until ?? '',
  maxUses: code.maxUses === null ? '' : String(code.maxUses),
  oncePerMember: code.oncePerMember,
  firstPurchaseOnly: code.firstPurchaseOnly,
})

/** Creates a code, or edits one. */
export function CodeDialog({ code, onClose }: { code?: PromotionCode; onClose: () => void }) {
  const packages = usePackages()
  return (
    <ChangeDialog
      title={code ? 'Edit Code' : 'Create Code'}
      description={
        code
          ? 'Members who are paying with it at this moment keep their price.'
          : 'Members type it at the checkout. A link to your prices that ends in ?code= and the code fills it in.'
      }
      schema={CodeDialogForm}
      values={code ? typedOf(code) : EMPTY}
      mutationFn={(body) =>
        code
          ? staffPaymentsApi.editPromotionCode.call({ params: { id: code.id }, body })
          : staffPaymentsApi.createPromotionCode.call({ body })
      }
      toasts={
        code
          ? { success: 'Code updated', failure: 'Failed to update code' }
          : { success: 'Code created', failure: 'Failed to create code' }
      }
      submit={code ? 'Save' : 'Create Code'}
      onClose={onClose}
      after={code && <History subject={`promotion_code:${code.id}`} />}
    >
      <TextField
        name="code"
        label="Code"
        help="Letters, digits and hyphens. Capitals do not matter."
        autoComplete="off"
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <SelectField
          name="kind"
          label="Takes off"
          options={[
            ['percent', 'a percentage'],
            ['amount', 'an amount in pounds'],
          ]}
        />
        <TextField name="value" label="How much" inputMode="decimal" />
        <DateField name="from" label="From" optional />
        <DateField name="until" label="Until" optional />
        <TextField
          name="maxUses"
          label="How many times (optional)"
          inputMode="numeric"
          help="Across all members. Leave it empty for no limit."
        />
      </div>
      <div>
        <Tick name="oncePerMember" label="Once per member" />
        <Tick name="firstPurchaseOnly" label="Only for a first purchase" />
      </div>
      <fieldset>
        <legend className="text-small/snug font-medium">Packages</legend>
        <p className="mt-1 text-small/snug text-ink-mute">Tick none for every package.</p>
        {packages.data?.map((sold) => (
          <Tick key={sold.id} name={`only.p${sold.id}`} label={`${sold.name}, ${formatMoney(sold.price)}`} />
        ))}
      </fieldset>
    </ChangeDialog>
  )
}

function EndCodeDialog({ code, onClose }: { code: PromotionCode; onClose: () => void }) {
  return (
    <ConfirmChange
      title="End code?"
      text={`${code.code} can no longer be used. Members who are paying with it at this moment keep their price.`}
      keep="Keep"
      confirm="End code"
      mutationFn={() => staffPaymentsApi.endPromotionCode.call({ params: { id: code.id } })}
      toasts={{ success: 'Code ended', failure: 'Failed to end code' }}
      onClose={onClose}
    />
  )
}
