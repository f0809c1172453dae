import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { commonRefusals, refuse } from '#foundation/refusal.ts'
import { studio } from '#studio.ts'
import { accountRefusals } from '../../contract.ts'
import { PASSWORD_MINIMUM } from '../../rules.ts'

/** What argon2id spends on a hash: memory in KiB, passes over it, lanes. */
export type PasswordCost = { memoryCost: number; timeCost: number; parallelism: number }

/** OWASP's second recommendation: 19 MiB, two passes, one lane. About 20 ms of one core on another thread. */
export const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** So many are worked on at once: a core each, and one of Node's four threads stays free for files and names. */
const MAX_CONCURRENT = Math.min(availableParallelism(), 3)
/**
 * So many may be on their way at once, which takes them under a second in all. Whoever comes then is told at once, instead of
 * after everybody; fifty in one moment are never too many (docs/studio-rules.md#signing-in).
 */
const MAX_QUEUED = Math.max(50, 30 * MAX_CONCURRENT)
const turns = pLimit(MAX_CONCURRENT)
let queuedCount = 0

/** Does what needs a password hashed, everything around it included; refuses (503) where too many wait already. */
export async function queueForHashing<Result>(work: () => Promise<Result>): Promise<Result> {
  if (queuedCount >= MAX_QUEUED) refuse(commonRefusals.unavailable)
  queuedCount += 1
  try {
    return await work()
  } finally {
    queuedCount -= 1
  }
}

const decoys = new Map<PasswordCost, Promise<string>>()

/** The argon2id hash of a password. */
export function hashPassword(password: string, cost = PASSWORD_COST): Promise<string> {
  return turns(() => hash(password, cost))
}

/** Whether the password fits; without a hash (unknown name, no password set yet) it takes as long and never fits. */
export async function passwordFits(
  passwordHash: string | null | undefined,
  password: string,
  cost = PASSWORD_COST,
): Promise<boolean> {
  const decoy = decoys.get(cost) ?? hash('nobody has this password', cost)
  decoys.set(cost, decoy)
  const against = passwordHash ?? (await decoy)
  const fits = await turns(() => verify(against, password))
  return fits && passwordHash != null
}

/** So many of those that are long enough to be taken at all, by how often they were found in leaks. Ours: decisions say "a few thousand". */
const COMMON_PASSWORD_COUNT = 5000

/** What whoever knows the studio tries first, in docs/studio-rules.md#signing-in; digits and signs around and between change nothing. */
const OWN_WORDS = ['pilates', 'reformer', 'studio', studio.name, studio.instructor.name]
const lettersOf = (text: string) => text.toLowerCase().replace(/[^\p{L}]/gu, '')
const OWN = new Set(OWN_WORDS.flatMap((words) => [words, ...words.split(' ')]).map(lettersOf))

let common: Promise<ReadonlySet<string>> | undefined

/** The list is loaded when it is first asked for, and never in demo mode. */
async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const longEnough = dictionary['passwords-common'].filter((password) => password.length >= PASSWORD_MINIMUM)
  return new Set(longEnough.slice(0, COMMON_PASSWORD_COUNT))
}

/** Refuses a password that everybody tries first, or everybody here, whatever its case; live mode only. Source: docs/studio-rules.md#signing-in */
export async function refuseCommonPassword(password: string, mode: 'demo' | 'live'): Promise<void> {
  if (mode === 'demo') return
  common ??= load()
  if (!(await common).has(password.toLowerCase()) && !OWN.has(lettersOf(password))) return
  const { common_password } = accountRefusals
  refuse(common_password, [{ path: 'password', message: common_password.message }])
}
