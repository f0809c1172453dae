/** What other parts and the assembly may call of passes. */
export {
  actingFor,
  type Cause,
  type CausedBy,
  copyPassesFor,
  forfeitCredits,
  holdCredit,
  ledgerOf,
  recordAttendance,
  releaseCredit,
  returnAsGoodwill,
  returnCredits,
  spendCredit,
  spendCredits,
  spendCreditsAgain,
  undoExtension,
} from './credits.ts'
export { endRefundedPass, expirePasses, takeCredits, voidSoldPass } from './end-passes.ts'
export { detachPurchases, erasePasses, lockPassesOfPurchases } from './erase-passes.ts'
export { freezePass, thawPass } from './freeze-passes.ts'
export { giftedPassesForUpdate, grantPass, grantPasses, membersWithOtherPasses, voidPasses } from './grant-passes.ts'
export {
  correctionsOf,
  findPasses,
  hasPassFor,
  lockPassesOf,
  passesForUpdate,
  passesOf,
  passForUpdate,
  passOf,
  passOfPurchaseForUpdate,
} from './pass-queries.ts'
export { pause, withPause } from './pauses.ts'
