import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import type { StudioFacts } from '#facts/contract.ts'
import { currentFacts } from '#facts/server/facts.ts'
import { commonRefusals, refuse, refuseField } from '#foundation/refusal.ts'
import type { Reader } from '#platform/database/database.ts'
import { accountRefusals } from '../../contract.ts'
import { asHashed, PASSWORD_MINIMUM } from '../../rules.ts'

/** For argon2id: memory in KiB, passes, lanes. */
export type PasswordCost = { memoryCost: number; timeCost: number; parallelism: number }

/** OWASP's second recommendation: 19 MiB, two passes, one lane. */
export const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** One core each; one of Node's four threads stays free for files and DNS. */
const MAX_CONCURRENT = Math.min(availableParallelism(), 3)
/** A full queue refuses further requests immediately. Source: docs/studio-rules.md#signing-in */
const MAX_QUEUED = Math.max(50, 30 * MAX_CONCURRENT)
const turns = pLimit(MAX_CONCURRENT)
let queuedCount = 0

/** Runs work that hashes a password; refuses (503) if the queue is full. */
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

export function hashPassword(password: string, cost = PASSWORD_COST): Promise<string> {
  return turns(() => hash(asHashed(password), cost))
}

/**
 * Checks a password. Without a hash it takes as long and returns false. Hashes from before {@link asHashed} are of the
 * password as it was typed.
 */
export async function passwordFits(
  passwordHash: string | null | undefined,
  password: string,
  cost = PASSWORD_COST,
): Promise<boolean> {
  const decoy = decoys.get(cost) ?? hash('nobody has this password', cost)
  decoys.set(cost, decoy)
  const against = passwordHash ?? (await decoy)
  for (const text of new Set([asHashed(password), password])) {
    if (await turns(() => verify(against, text))) return passwordHash != null
  }
  return false
}

/** The most common leaked passwords of sufficient length. Our choice. */
const COMMON_PASSWORD_COUNT = 5000

/** Ignores digits and signs around and between (docs/studio-rules.md#signing-in). */
const OWN_WORDS = ['pilates', 'reformer', 'studio']
const lettersOf = (text: string) => text.toLowerCase().replace(/[^\p{L}]/gu, '')
const ownWords = ({ name, instructor }: Pick<StudioFacts, 'name' | 'instructor'>) =>
  new Set([...OWN_WORDS, name, instructor.name].flatMap((words) => [words, ...words.split(' ')]).map(lettersOf))

let common: Promise<ReadonlySet<string>> | undefined

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const longEnough = dictionary['passwords-common'].filter((password) => password.length >= PASSWORD_MINIMUM)
  return new Set(longEnough.slice(0, COMMON_PASSWORD_COUNT))
}

/** Refuses a common or studio-related password in live mode. Source: docs/studio-rules.md#signing-in */
export async function refuseCommonPassword(reader: Reader, password: string, mode: 'demo' | 'live'): Promise<void> {
  if (mode === 'demo') return
  common ??= load()
  const hashed = asHashed(password)
  if (!(await common).has(hashed.toLowerCase()) && !ownWords(await currentFacts(reader)).has(lettersOf(hashed))) return
  refuseField(accountRefusals.common_password, 'password')
}
