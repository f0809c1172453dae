import { studio } from '#studio.ts'

/** What may stand in braces in the policies' words, and the number that is said in its place. */
export const NUMBERS: Readonly<Record<string, number>> = {
  minutes: studio.policies.lateCancellationMinutes,
  hours: studio.policies.noticeHours,
  days: studio.policies.refundDays,
  percent: studio.policies.refundFeePercent,
}
/** A word in braces, and the braces with it. */
export const IN_BRACES = /\{([^{}]*)\}/g

/** A policy's words with their numbers. */
export function withNumbers(text: string): string {
  return text.replace(IN_BRACES, (written, name) => String(NUMBERS[name] ?? written))
}
