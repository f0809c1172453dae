import { dialogButton } from '#ui/dialog-button.tsx'

export const SubscribeButton = dialogButton<{ isAdmin: boolean }>(
  () => import('./subscribe-dialog.tsx'),
  'Sync calendar',
)
