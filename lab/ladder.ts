import { hangingProvider, lockedClass, rushForTwoPlaces } from './ladder/scenes.ts'
import { openThreeSites } from './ladder/three-sites.ts'
import { withCleanUp } from './lib/clean-up.ts'

/**
 * `npm run lab -- ladder`: tests the limits of `src/platform/limits.ts` at full length over three processes. Exits with
 * 1 on any fault.
 */
const print = (sentence: string) => console.log(sentence)
const sites = await openThreeSites()
const faults: string[] = []
await withCleanUp(
  async () => {
    for (const [what, scene] of [
      ['300 bookings for 2 places, over three processes', rushForTwoPlaces],
      ['200 bookings of a class whose row is locked for 20 s', lockedClass],
      ['200 activations with a card provider that takes up to 20 s', hangingProvider],
    ] as const) {
      print(`\n${what}`)
      const found = await scene(sites, print)
      for (const fault of found) print(`  FAULT ${fault}`)
      faults.push(...found)
    }
  },
  () => sites.close(),
)
print(
  faults.length > 0 ? `\n${faults.length} FAULTS` : '\nNo failed request changed anything, and no response was late.',
)
process.exitCode = faults.length > 0 ? 1 : 0
