import { storm } from './storm/storm.ts'

/**
 * `npm run lab -- storm [kills]`: kills the site during bookings, cancellations and payments. Exits with 1 if anything
 * was lost.
 */
const kills = Number(process.argv[2] ?? 20)
const print = (sentence: string) => console.log(sentence)
const { violations, lines, unanswered } = await storm(kills, print)
for (const line of [...lines, ...violations.slice(0, 20).map((violation) => `FAULT ${violation}`)]) print(`  ${line}`)
print(
  `  ${violations.length > 0 ? `${violations.length} FAULTS` : `Nothing was lost. ${unanswered} requests to a killed process got no response.`}`,
)
process.exitCode = violations.length > 0 ? 1 : 0
