import { dialogButton } from '#ui/dialog-button.tsx'

/** Opens every movement of the member's credits, in words. */
export const CreditHistory = dialogButton(
  () => import('./credit-history-dialog.tsx'),
  'Credit history',
  'link sm:mt-3 inline-flex min-h-11 items-center text-[0.9375rem]',
)
