/** What other parts and the assembly may call of passes. */
export {
  actingFor,
  type Cause,
  type CausedBy,
  forfeitCredits,
  ledgerOf,
  recordAttendance,
  returnAsGoodwill,
  returnCredits,
  spendCredits,
  spendCreditsAgain,
  undoExtension,
} from './credits.ts'
export { endRefundedPass, expirePasses, takeCredits, voidSoldPass } from './end-passes.ts'
export { detachPurchases, erasePasses, lockPassesOfPurchases } from './erase-passes.ts'
export { freezePass, thawPass } from './freeze-passes.ts'
export { giftedPassesForUpdate, grantPass, grantPasses, voidPasses } from './grant-passes.ts'
export {
  correctionsOf,
  findPasses,
  freeCreditsOf,
  hasPassFor,
  lockPassesOf,
  passesForUpdate,
  passesOf,
  passesOfMembers,
  passForUpdate,
  passOf,
  passOfPurchaseForUpdate,
} from './pass-queries.ts'
export { pause, withPause } from './pauses.ts'
