import { expect } from 'vitest'
import type { RefusalDefinition } from '../foundation/refusal.ts'
import type { Answer } from './person.ts'

expect.extend({
  toBeRefused(answer: Answer, refusal: RefusalDefinition) {
    const pass = answer.status === refusal.status && answer.body?.message === refusal.message
    const wanted = `${refusal.status} ${refusal.message}`
    return { pass, message: () => `wanted ${wanted}, got ${answer.status} ${JSON.stringify(answer.body)}` }
  },
})

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /** The status and the very sentence of a refusal. */
    toBeRefused(refusal: RefusalDefinition): R
  }
}
