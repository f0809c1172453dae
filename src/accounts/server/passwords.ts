import { hash, verify } from '@node-rs/argon2'

/** What argon2id spends on a hash: memory in KiB, passes over it, lanes. */
export type PasswordCost = { memoryCost: number; timeCost: number; parallelism: number }

/** OWASP's second recommendation: 19 MiB, two passes, one lane. About 20 ms of one core on another thread. */
export const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const decoys = new Map<PasswordCost, Promise<string>>()

/** The argon2id hash of a password. */
export function hashPassword(password: string, cost = PASSWORD_COST): Promise<string> {
  return hash(password, cost)
}

/** Whether the password fits; without a hash (unknown name, no password set yet) it takes as long and never fits. */
export async function passwordFits(
  passwordHash: string | null | undefined,
  password: string,
  cost = PASSWORD_COST,
): Promise<boolean> {
  const decoy = decoys.get(cost) ?? hashPassword('nobody has this password', cost)
  decoys.set(cost, decoy)
  const fits = await verify(passwordHash ?? (await decoy), password)
  return fits && passwordHash != null
}
