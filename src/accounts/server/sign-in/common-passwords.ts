import { refuse } from '#foundation/refusal.ts'
import { studio } from '#studio.ts'
import { accountRefusals } from '../../contract.ts'
import { PASSWORD_MINIMUM } from '../../rules.ts'

/** So many of those that are long enough to be taken at all, by how often they were found in leaks. Ours: decisions say "a few thousand". */
const MOST_COMMON = 5000

/** What whoever knows the studio tries first, in docs/studio-rules.md#signing-in; digits and signs around and between change nothing. */
const OWN_WORDS = ['pilates', 'reformer', 'studio', studio.name, studio.instructor.name]
const lettersOf = (text: string) => text.toLowerCase().replace(/[^\p{L}]/gu, '')
const OWN = new Set(OWN_WORDS.flatMap((words) => [words, ...words.split(' ')]).map(lettersOf))

let common: Promise<ReadonlySet<string>> | undefined

/** The list is loaded when it is first asked for, and never in demo mode. */
async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const longEnough = dictionary['passwords-common'].filter((password) => password.length >= PASSWORD_MINIMUM)
  return new Set(longEnough.slice(0, MOST_COMMON))
}

/** Refuses a password that everybody tries first, or everybody here, whatever its case; live mode only. Source: docs/studio-rules.md#signing-in */
export async function refuseCommonPassword(password: string, mode: 'demo' | 'live'): Promise<void> {
  if (mode === 'demo') return
  common ??= load()
  if (!(await common).has(password.toLowerCase()) && !OWN.has(lettersOf(password))) return
  const { common_password } = accountRefusals
  refuse(common_password, [{ path: 'password', message: common_password.message }])
}
