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
export {
  detachPurchases,
  endRefundedPass,
  erasePasses,
  expirePasses,
  lockPassesOfPurchases,
  takeCredits,
  voidSoldPass,
} from './end-passes.ts'
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
export { freezePass, pause, thawPass, withPause } from './pauses.ts'
