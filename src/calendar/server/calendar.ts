/** What other parts may call of calendar. */
export { addressOf } from './feed-address.ts'
