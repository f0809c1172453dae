import { dictionary } from '@zxcvbn-ts/language-common'
import type { Plugin } from 'vite'

/** The list goes on to 49,000, at 3 bytes a word: whoever tries so many is stopped by the limits on logging in. */
const LEAKED = 20_000
/** Sorted within these ranks the words compress by a third more, and how soon one would be guessed stays as good as the same. */
const RANKS = [0, 10, 100, 1_000, 3_000, 10_000, LEAKED]

/** What passwords are guessed from, as `accounts/web/password-strength.ts` imports it: words with a blank between them. */
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
