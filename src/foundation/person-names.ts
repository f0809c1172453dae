import { z } from 'zod'
import { cleanLine } from './clean-text.ts'
import { requiredName } from './fields.ts'
import { refusals, refuse } from './refusal.ts'

/** Domain endings that mail programs turn into links, and that no family name has after a dot. */
const USUAL_ENDINGS =
  'com|net|org|info|biz|io|co|app|dev|xyz|top|site|online|shop|store|club|link|click|live|website|space|page|uk|eu|us|ru|cn|tk|ly|me|tv|cc'
const ADDRESS = [
  /:\/\//,
  /\bhttps?:/i,
  /\bwww\./i,
  /@/,
  // A host with a path, port or query.
  /[\p{L}\d-]\.[\p{L}\d-]{2,}[/:?#\\]/u,
  new RegExp(`[\\p{L}\\d-]{2,}\\.(${USUAL_ENDINGS})(?![\\p{L}\\d-])`, 'iu'),
  /\d{1,3}(\.\d{1,3}){3}/,
]
/** Line breaks in a name would change the mail around it. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u

/** Whether a mail program would show a name as a link or on several lines. */
export function carriesLink(name: string): boolean {
  // Browsers treat full stops and slashes of other scripts like ours.
  const plain = name.normalize('NFKC').replace(/[。．｡]/g, '.')
  return CONTROL.test(plain) || ADDRESS.some((pattern) => pattern.test(plain))
}

export const NO_LINKS = 'Please write the name without a web or email address'
const nameRefusals = refusals({ name_with_link: [400, NO_LINKS] })

/** A person's first or last name, without advertising links; `message` is the error if it is missing. */
export const personName = (message: string, max?: number) =>
  requiredName(message, max).refine((name) => !carriesLink(name), NO_LINKS)

declare const checked: unique symbol
/** A name that is safe in an email to an address which a visitor entered. Only {@link toPersonName} makes one. */
export type PersonName = string & { readonly [checked]: true }

/** Refuses a name that carries a link or a control character; forms have refused it before. May be empty. */
export function toPersonName(name: string): PersonName {
  if (carriesLink(name)) refuse(nameRefusals.name_with_link)
  return name as PersonName
}

/** A visitor’s own words without links, for an email to an address which they entered as well. */
export const withoutLinks = (text: string): string =>
  text
    .split(/(\s+)/)
    .map((word) => (word.trim() && carriesLink(word) ? '(address left out)' : word))
    .join('')

/** The last name of an imported member with one name; may be empty. */
export const optionalPersonName = z
  .string()
  .overwrite(cleanLine)
  .trim()
  .max(255, 'Please use at most 255 characters')
  .refine((name) => !carriesLink(name), NO_LINKS)
