import { studio } from '#studio.ts'

/** The placeholders of policy texts and their numbers. */
const NUMBERS: Readonly<Record<string, number>> = {
  minutes: studio.policies.lateCancellationMinutes,
  hours: studio.policies.noticeHours,
  days: studio.policies.refundDays,
  percent: studio.policies.refundFeePercent,
}
const IN_BRACES = /\{([^{}]*)\}/g

/** A policy text with its placeholders filled in. */
export function withNumbers(text: string): string {
  return text.replace(IN_BRACES, (written, name) => String(NUMBERS[name] ?? written))
}

/** `{minutes}`, `{hours}`, … */
export const BRACES = Object.keys(NUMBERS).map((name) => `{${name}}`)

/** The unknown placeholders of a text, with their braces. */
export function unknownInBraces(text: string): string[] {
  return [...text.matchAll(IN_BRACES)].flatMap(([written, name = '']) => (name in NUMBERS ? [] : [written]))
}
