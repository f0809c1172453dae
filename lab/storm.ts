import { storm } from './storm/storm.ts'

/**
 * `npm run lab -- storm [kills]`: kills the site during bookings, cancellations and payments. Exits with 1 if anything
 * was lost.
 */
const { violations, lines, unanswered } = await storm(Number(process.argv[2] ?? 20), (line) => console.log(line))
for (const line of [...lines, ...violations.slice(0, 20).map((violation) => `FAULT ${violation}`)]) console.log(line)
const isLost = violations.length > 0
console.log(
  isLost ? `${violations.length} FAULTS` : `Nothing was lost; ${unanswered} requests got no response in a kill.`,
)
process.exitCode = isLost ? 1 : 0
