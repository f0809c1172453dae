import { studio } from '#studio.ts'

/** The placeholders of policy texts and their numbers. */
const NUMBERS: Readonly<Record<string, number>> = {
  minutes: studio.policies.lateCancellationMinutes,
  hours: studio.policies.noticeHours,
  days: studio.policies.refundDays,
  percent: studio.policies.refundFeePercent,
  months: studio.policies.voucher.validityMonths,
}
const PLACEHOLDER = /\{([^{}]*)\}/g

/** A policy text with its placeholders filled in. */
export function fillPolicyNumbers(text: string): string {
  return text.replace(PLACEHOLDER, (written, name) => String(NUMBERS[name] ?? written))
}

/** `{minutes}`, `{hours}`, … */
export const PLACEHOLDERS = Object.keys(NUMBERS).map((name) => `{${name}}`)

/** The unknown placeholders of a text, without their braces. */
export function unknownPlaceholders(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].flatMap(([, name = '']) => (name in NUMBERS ? [] : [name]))
}
