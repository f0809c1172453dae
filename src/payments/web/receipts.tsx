import { dialogButton } from '#ui/dialog-button.tsx'

/** Opens what the member bought, each with its receipt. */
export const Receipts = dialogButton(
  () => import('./receipts-dialog.tsx'),
  'Receipts',
  'link sm:mt-3 ml-6 inline-flex min-h-11 items-center text-[0.9375rem]',
)
