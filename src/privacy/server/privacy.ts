/** What the assembly may call of privacy. */
export { applyRetention } from './apply-retention.ts'
export { repeatWithdrawals, type Withdrawal, withdrawalsIn } from './consents.ts'
export { type OpenDataComplaint, openDataComplaints } from './data-complaints.ts'
export { eraseAgain, erasedIds, recordErasures } from './delete-user.ts'
export { confirmRetention, heldRetention } from './retention-hold.ts'
