import { dictionary } from '@zxcvbn-ts/language-common'
import type { Plugin } from 'vite'

/** Of 49,000 at 3 bytes each: the login limits stop an attacker long before. */
const LEAKED = 20_000
/** Sorting within these ranks compresses better by a third and hardly changes a password's estimate. */
const RANKS = [0, 10, 100, 1_000, 3_000, 10_000, LEAKED]

/** Words for the password meter (`accounts/web/password-strength.ts`), separated by spaces. */
export function passwordDictionary(): Plugin {
  const id = 'virtual:password-dictionary'
  return {
    name: 'studio-password-dictionary',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load(resolved) {
      if (resolved !== `\0${id}`) return undefined
      const leaked = dictionary['passwords-common']
      const passwords = RANKS.slice(1).flatMap((end, i) => leaked.slice(RANKS[i], end).sort())
      const texts = { passwords: passwords.join(' '), diceware: dictionary['diceware-common'].join(' ') }
      return `export default ${JSON.stringify(texts)}`
    },
  }
}
