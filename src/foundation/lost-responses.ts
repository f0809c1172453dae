import { CallError, Unreachable } from './call.ts'

/** Whether a write may have happened: there was no response, or the server failed. */
export function isUncertain(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof CallError && error.status >= 500)
}

/** The server may still be working after a timeout. */
const CHECK_AFTER_MS = [0, 1000, 2000]

/**
 * Checks whether a write with a lost response happened. `look` returns what the response would have been, or undefined.
 * A 503 is final, so it looks once.
 *
 * @throws `lost` if the write did not happen, or a 401 if the session has ended
 */
export async function findLostResponse<Answer>(
  lost: unknown,
  look: () => Promise<Answer | undefined>,
): Promise<Answer> {
  for (const ms of lost instanceof Unreachable ? CHECK_AFTER_MS : [0]) {
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

/** A new `Idempotency-Key`. `randomUUID` is missing on plain http. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
