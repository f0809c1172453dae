import { hash, verify } from '@node-rs/argon2'

// argon2id with OWASP's second recommendation: 19 MiB, two passes, one lane.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
let decoy: Promise<string> | undefined

/** The argon2id hash of a password, about 20 ms of one core on another thread. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, COST)
}

/** Whether the password fits; without a hash (unknown name, no password set yet) it takes as long and never fits. */
export async function passwordFits(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword('nobody has this password')
  const fits = await verify(passwordHash ?? (await decoy), password)
  return fits && passwordHash != null
}
