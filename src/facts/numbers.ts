import { studio } from '#studio.ts'

/** What may stand in braces in the policies' words, and the number that is said in its place. */
const NUMBERS: Readonly<Record<string, number>> = {
  minutes: studio.policies.lateCancellationMinutes,
  hours: studio.policies.noticeHours,
  days: studio.policies.refundDays,
  percent: studio.policies.refundFeePercent,
}
/** A word in braces, and the braces with it. */
const IN_BRACES = /\{([^{}]*)\}/g

/** A policy's words with their numbers. */
export function withNumbers(text: string): string {
  return text.replace(IN_BRACES, (written, name) => String(NUMBERS[name] ?? written))
}

/** The names that may stand in braces, as an owner is told them. */
export const BRACES = Object.keys(NUMBERS).map((name) => `{${name}}`)

/** What stands in braces in a text and names no number of the policies. */
export function unknownInBraces(text: string): string[] {
  return [...text.matchAll(IN_BRACES)].flatMap(([written, name = '']) => (name in NUMBERS ? [] : [written]))
}
