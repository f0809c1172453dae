import { dialogButton } from '#ui/dialog-button.tsx'

/** Opens the dialog for a calendar subscription. */
export const SubscribeButton = dialogButton<{ isAdmin: boolean }>(
  () => import('./subscribe-dialog.tsx'),
  'Sync calendar',
)
