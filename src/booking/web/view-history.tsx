import { dialogButton } from '#ui/dialog-button.tsx'

/** Opens the whole booking history. */
export const ViewHistory = dialogButton(() => import('./history.tsx'), 'View History')
