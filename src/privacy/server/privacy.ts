/** What the assembly may call of privacy. */
export { applyRetention } from './apply-retention.ts'
