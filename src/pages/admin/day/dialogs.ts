import { late } from '#ui/late.tsx'

// Dialogs bring forms and date fields, for which the day's list need not wait.
const loadForMember = () => import('../bookings/book-for-member.tsx')
const loadManage = () => import('../bookings/manage-booking.tsx')
const loadCredits = () => import('../users/credit-dialogs.tsx')

export const [AddCompanionDialog] = late(() => import('../bookings/add-companion.tsx'))
export const [BookForDialog] = late(async () => ({ default: (await loadForMember()).BookForDialog }))
export const [BookForMemberDialog, loadBooking] = late(async () => ({
  default: (await loadForMember()).BookForMemberDialog,
}))
export const [CancelBookingDialog, loadCancelling] = late(async () => ({
  default: (await loadManage()).CancelBookingDialog,
}))
export const [MoveBookingDialog] = late(async () => ({ default: (await loadManage()).MoveBookingDialog }))
export const [CancelClassDialog] = late(async () => ({
  default: (await import('./cancel-class.tsx')).CancelClassDialog,
}))
export const [MemberHealthDialog, loadHealth] = late(async () => ({
  default: (await import('../health/member-health.tsx')).MemberHealthDialog,
}))
export const [GiveClassesDialog] = late(async () => ({
  default: (await import('../classes/give-classes.tsx')).GiveClassesDialog,
}))
export const [NoteDialog] = late(async () => ({ default: (await import('./note-dialog.tsx')).NoteDialog }))
export const [RecordSaleDialog] = late(async () => ({ default: (await loadCredits()).RecordSaleDialog }))
export const [SellDialog] = late(async () => ({ default: (await import('../packages/sales-head.tsx')).SellDialog }))
export const [GiftCreditsDialog] = late(async () => ({ default: (await loadCredits()).GiftCreditsDialog }))
export const [ExpiringPassesDialog] = late(async () => ({
  default: (await import('../users/pass-dialogs.tsx')).ExpiringPassesDialog,
}))

/** What the owner opens most, for when the browser is idle. */
export const loadDialogs = () => Promise.all([loadBooking(), loadCancelling(), loadHealth()])
