import { CallError, Unreachable } from './call.ts'

/** Whether nobody knows what became of a write: no answer came, or one that could not tell in time. */
export function isUncertain(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof CallError && error.status >= 500)
}

/** After silence the server may still be at work for a moment. */
const LOOKS_AFTER_MS = [0, 1000, 2000]

/**
 * Looks whether a write whose answer was lost was done after all: `look` answers what it would have answered, or
 * undefined. An answer of 503 is final, so that one look is enough; where the studio cannot be reached, looking ends.
 *
 * @throws `lost` when it was not done; a 401 that came meanwhile
 */
export async function lookUntilKnown<Answer>(lost: unknown, look: () => Promise<Answer | undefined>): Promise<Answer> {
  for (const ms of lost instanceof Unreachable ? LOOKS_AFTER_MS : [0]) {
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms))
    try {
      const found = await look()
      if (found !== undefined) return found
    } catch (error) {
      throw error instanceof CallError && error.status === 401 ? error : lost
    }
  }
  throw lost
}

/** A key for one deed, however often it is sent (`Idempotency-Key`). `randomUUID` is not there on a plain http address. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
