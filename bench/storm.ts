import { storm } from './storm/storm.ts'

/** `npm run storm [-- kills]`: bookings, cancellations and payments while the site is killed; ends with 1 on any violation. */
const KILLS = 20

const kills = Number(process.argv[2] ?? KILLS)
const { violations, lines } = await storm(kills, (sentence) => console.log(sentence))
console.log(`\n${lines.join('\n')}`)
console.log(
  violations.length > 0 ? `\nVIOLATIONS\n${violations.join('\n')}` : '\nNothing was lost, and everything adds up.',
)
process.exitCode = violations.length > 0 ? 1 : 0
