import { requiredName } from './fields.ts'

/** Endings that mail programs turn into links without being asked, and that no family name ends with after a dot. */
const USUAL_ENDINGS =
  'com|net|org|info|biz|io|co|app|dev|xyz|top|site|online|shop|store|club|link|click|live|website|space|page|uk|eu|us|ru|cn|tk|ly|me|tv|cc'
const ADDRESS = [
  /:\/\//,
  /\bhttps?:/i,
  /\bwww\./i,
  /@/,
  // A name of a machine with a path, a port or a question behind it, whatever its ending.
  /[\p{L}\d-]\.[\p{L}\d-]{2,}[/:?#\\]/u,
  new RegExp(`[\\p{L}\\d-]{2,}\\.(${USUAL_ENDINGS})(?![\\p{L}\\d-])`, 'iu'),
  /\d{1,3}(\.\d{1,3}){3}/,
]
/** Line ends and the like: whoever writes them into a name writes into the mail around it. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u

/** Whether a name carries what a mail program would show as a link, or a line of its own. */
export function carriesLink(name: string): boolean {
  // Other scripts have full stops and solidi of their own, which browsers read as ours.
  const plain = name.normalize('NFKC').replace(/[。．｡]/g, '.')
  return CONTROL.test(plain) || ADDRESS.some((pattern) => pattern.test(plain))
}

export const NO_LINKS = 'Please write the name without a web or email address'

/**
 * The first or last name of a person, trimmed; `message` is said when it is missing. A name stands in mails that the studio
 * sends to whatever address was typed beside it, so it must not be an advertisement: no addresses in it, one line.
 */
export const personName = (message: string) => requiredName(message).refine((name) => !carriesLink(name), NO_LINKS)
