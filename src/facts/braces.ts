import { IN_BRACES, NUMBERS } from './numbers.ts'

/** The names that may stand in braces, as an owner is told them. */
export const BRACES = Object.keys(NUMBERS).map((name) => `{${name}}`)

/** What stands in braces in a text and names no number of the policies. */
export function unknownInBraces(text: string): string[] {
  return [...text.matchAll(IN_BRACES)].flatMap(([written, name = '']) => (name in NUMBERS ? [] : [written]))
}
