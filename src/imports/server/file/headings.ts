import { fold } from '#foundation/fold.ts'
import type { Field } from '../../rules.ts'

const OWNER = /^(?:client|customer|member|attendee|student|user|contact|participant|guest|patient|athlete|person)/
const UNIT =
  '(?:credit|session|visit|class|classe|use|lesson|booking|appointment|pass|passe|punch|punche|entrie|token)s?'
const LEFT = '(?:remaining|left|available|unused|outstanding|balance)'
const BOUGHT =
  '(?:pass|package|pack|membership|plan|pricingoption|purchaseoption|product|service|series|item|bundle|subscription)'
const LESSON = '(?:class|session|booking|appointment|event|lesson)'
const NEWS = '(?:marketing|newsletters?|news|emails?|mailing|promotional|promo|communications?|permission)*'
const AGREED = '(?:consent(?:ed)?|optin|optedin|subscri(?:bed|ber|ption)|agreed|permission)'

/** The usual headings of each field, without the owner's word, in letters only; the first that matches is the best. */
const HEADINGS: Record<Field, readonly RegExp[]> = {
  firstName: [/^(?:first|given|fore|christian|f)names?$/, /^(?:first|forename)$/],
  lastName: [/^(?:last|family|sur|second|l)names?$/, /^last$/],
  name: [/^(?:full|complete|display)names?$/, /^names?$/, /^(?:first(?:name)?(?:and)?last(?:name)?)$/, /^$/],
  email: [
    /^(?:primary|main)?emails?(?:address|addresses|adress|id|value)?$/,
    /^[a-z]{0,9}email(?:address)?$/,
    /^mail$/,
  ],
  phone: [
    /^(?:primary|main|preferred)*(?:mobile|cell|cellular|sms)+(?:tele)?(?:phone)?(?:no|number|value)?s?$/,
    /^(?:primary|main|preferred)?(?:tele)?phone(?:no|number|value)?(?:mobile|cell)?s?$/,
    /^(?:home|work|day|daytime|evening|night|business|other|alternat(?:e|ive)|secondary|second)*(?:(?:tele)?phone|mobile|cell|tel)(?:no|number|value)?s?$/,
    /^(?:tele)?phone(?:home|work|other|no|number)+$/,
    /^(?:telno|contact(?:number|no))$/,
  ],
  credits: [
    new RegExp(`^(?:total|no|number|num|qty|quantity|count|${BOUGHT})*(?:of)?${UNIT}${LEFT}$`),
    new RegExp(`^(?:remaining|left|unused|available)(?:total|number|of)*${UNIT}$`),
    /^(?:qty|quantity|count|number|total)?(?:remaining|left)(?:qty|quantity|count|balance|number|total|oftotal)?$/,
    /^(?:class|session|pass)?credits$/,
  ],
  expiry: [
    /^(?:[a-z]*)expir(?:y|es|ed?on|esat|eson|ation)(?:date|day|on|at|time)*$/,
    /^exp(?:date|on)?$/,
    /^(?:valid|good)(?:until|to|till|thru|through)$/,
    /^(?:until|useby|usebefore)$/,
    new RegExp(`^(?:${BOUGHT}|contract)*end(?:s|date|son|sat)*$`),
    /^dateofexpiry$/,
  ],
  package: [
    new RegExp(`^(?:active|current|last|class|credit|session)*${BOUGHT}s?(?:name|title)$`),
    new RegExp(`^(?:active|current|last|class|credit|session)*${BOUGHT}s?$`),
    new RegExp(`^(?:active|current|last)*${BOUGHT}(?:type|plan|option|level|description)$`),
  ],
  bookingStart: [new RegExp(`^${LESSON}?(?:start|starts|begins)?(?:date(?:and)?time|datetime|timestamp)$`)],
  bookingDate: [
    new RegExp(`^(?:dateof)?${LESSON}(?:start)?(?:s|date|day)*$`),
    /^bookedfor$/,
    /^(?:start)?(?:date|day)$/,
  ],
  bookingTime: [
    new RegExp(`^${LESSON}(?:start|starts)?(?:time|sat)*$`),
    /^(?:start|starts)(?:time|at)$/,
    /^(?:start|starts|begins|time)$/,
  ],
  bookingStatus: [new RegExp(`^${LESSON}?(?:status|state)$`), /^attendance(?:status)?$/],
  consent: [
    new RegExp(`^(?:has|accepts|receives?)?${NEWS}${AGREED}(?:status|given|yesno)?$`),
    new RegExp(`^(?:accepts|receives?)${NEWS}$`),
    /^(?:email|sms)*(?:marketing|newsletters?|newsletteremails|marketingemails|emailmarketing|promotionalemails|emailnews)$/,
    /^(?:marketing|communication|email)(?:preferences?|permissions?|status)$/,
  ],
  consentDate: [
    new RegExp(`^(?:dateof)?${NEWS}${AGREED}(?:given)?(?:date|time|day|on|at|timestamp)+$`),
    /^dateofconsent$/,
  ],
  consentSource: [new RegExp(`^${NEWS}${AGREED}(?:given)?(?:source|by|where|via|method|channel|origin)$`)],
}

/** Columns about somebody or something else than the member, the pass or the class. */
const SOMETHING_ELSE =
  /emergency|nextofkin|guardian|parent|company|businessname|staff|instructor|teacher|trainer|employee|seller|soldby|refer|card|location|nickname|username|login|middle|maiden|verified|days(?:until|to|left|remaining)|waiver|licen[cs]e|invoice|smsconsent|photo|optout|unsubscribe|storecredit|accountcredit|giftcredit|created|postal|mailing(?:address|list)/

/** Longer cells are no headings. */
const LONGEST = 100

/** How well a heading suits a field: 0 is best. Undefined if it does not. */
export function rankOf(heading: string, field: Field): number | undefined {
  if (heading.length > LONGEST) return undefined
  const letters = fold(heading)
    .replace(/\((?:required|optional|mandatory)\)/g, '')
    .replace(/[^a-z]/g, '')
  if (letters === '' || SOMETHING_ELSE.test(letters)) return undefined
  const owned = letters.replace(OWNER, '')
  // An s may belong to the owner or to what follows: members name, member surname.
  const ranks = [letters, owned, owned.replace(/^s/, '')].flatMap((text) => {
    const rank = HEADINGS[field].findIndex((usual) => usual.test(text))
    return rank < 0 ? [] : rank
  })
  return ranks.length > 0 ? Math.min(...ranks) : undefined
}
