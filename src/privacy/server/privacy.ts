/** What the assembly may call of privacy. */
export { applyRetention } from './apply-retention.ts'
export { type OpenDataComplaint, openDataComplaints } from './data-complaints.ts'
export { eraseAgain } from './erase-again.ts'
export { erasedIds, recordErasures } from './record-erasures.ts'
export { confirmRetention, heldRetention } from './retention-hold.ts'
export { repeatWithdrawals, type Withdrawal, withdrawalsIn } from './withdrawals.ts'
