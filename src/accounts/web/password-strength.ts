import dictionary from 'virtual:password-dictionary'
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs } from '@zxcvbn-ts/language-common'
import { translations } from '@zxcvbn-ts/language-en'

/** Its dictionaries (`scripts/lib/password-dictionary.ts`) are large, so it loads when a new password is typed. */
const meter = new ZxcvbnFactory({
  dictionary: {
    'passwords-common': dictionary.passwords.split(' '),
    'diceware-common': dictionary.diceware.split(' '),
  },
  graphs: adjacencyGraphs,
  translations: inOurVoice(),
})

function inOurVoice(): typeof translations {
  const warnings = {
    ...translations.warnings,
    userInputs: 'Do not use your name, your address or words from this site.',
  }
  return { ...translations, warnings }
}

const OBVIOUS = ['pilates', 'reformer', 'studio']

export type Strength = { score: 0 | 1 | 2 | 3 | 4; advice: string }

/**
 * A password's strength and one sentence of advice.
 *
 * @param known what a guesser may know: name, email address
 */
export function strengthOf(password: string, known: readonly string[]): Strength {
  const parts = known.flatMap((text) => [text, ...text.split(/[@.\s]+/)]).filter((text) => text.length > 2)
  const { score, feedback } = meter.check(password, [...parts, ...OBVIOUS])
  return { score, advice: feedback.warning || feedback.suggestions[0] || '' }
}
