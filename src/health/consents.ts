/**
 * What a member agrees to in the last step of the health form. Saving records when, and to which version.
 * Whoever changes a word gives the texts a new version and moves the old ones to {@link EARLIER_CONSENTS}.
 */
export const consents = {
  version: '2',
  healthDisclaimer:
    'I confirm that my answers are true and complete as far as I know, that I take part at my own responsibility, and that I will tell the instructor about any change in my health before a class.',
  dataConsent: 'I consent to the studio processing my health information so that classes can be planned safely for me.',
  marketingConsent: 'I would like to hear about news and offers by email (optional).',
} as const

type Texts = { healthDisclaimer: string; dataConsent: string; marketingConsent: string }

/** What was agreed to before, by version: whoever agreed can read it again. */
export const EARLIER_CONSENTS: { readonly [version: string]: Texts } = {
  1: { ...consents, marketingConsent: 'I would like to hear about news and offers by e-mail (optional).' },
}

/** The texts of a version; undefined where nobody knows them any more. */
export function consentTexts(version: string): Texts | undefined {
  return version === consents.version ? consents : EARLIER_CONSENTS[version]
}
