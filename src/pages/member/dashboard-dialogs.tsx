import { dialogButton } from '#ui/dialog-button.tsx'

export const ViewHistory = dialogButton(() => import('#booking/web/history.tsx'), 'View History')

export const CreditHistory = dialogButton(
  () => import('#passes/web/credit-history-dialog.tsx'),
  'Credit history',
  'link sm:mt-3 inline-flex min-h-11 items-center text-[0.9375rem]',
)

export const Receipts = dialogButton(
  () => import('#payments/web/receipts-dialog.tsx'),
  'Receipts',
  'link sm:mt-3 ml-6 inline-flex min-h-11 items-center text-[0.9375rem]',
)
