/** What other parts may call of calendar. */
export { addressOf, endAddress } from './feed-address.ts'
