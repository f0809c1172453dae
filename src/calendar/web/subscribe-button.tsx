import { dialogButton } from '#ui/dialog-button.tsx'

/** Opens what is needed to have one's classes, or an admin the studio's, in one's own calendar. */
export const SubscribeButton = dialogButton<{ isAdmin: boolean }>(
  () => import('./subscribe-dialog.tsx'),
  'Sync calendar',
)
