import { beforeEach, expect } from 'vitest'
import type { RefusalDefinition } from '#foundation/refusal.ts'
import type { TestResponse } from './person.ts'

expect.extend({
  toBeRefused(response: TestResponse, refusal: RefusalDefinition) {
    const pass = (['status', 'code', 'message'] as const).every(
      (field) => (field === 'status' ? response.status : response.body?.[field]) === refusal[field],
    )
    const wanted = `${refusal.status} ${refusal.code}: ${refusal.message}`
    return { pass, message: () => `wanted ${wanted}, got ${response.status} ${JSON.stringify(response.body)}` }
  },
})

// `retry` repeats it on CI (vitest.config.ts).
beforeEach(({ task: { file, name, result } }) => {
  if (result?.retryCount) console.error(`FLAKY: ${file.name} > ${name}\n${result.errors?.[0]?.stack}`)
})

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /** Asserts status, code and message. */
    toBeRefused(refusal: RefusalDefinition): R
  }
}
