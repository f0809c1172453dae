/**
 * The consents in the last step of the health form. Saving records when they were given, and to which version.
 * When you change a word, give the texts a new version, and keep the old ones for {@link consentTexts}.
 */
export const consents = {
  version: '1',
  healthDisclaimer:
    'I confirm that my answers are true and complete as far as I know, that I take part at my own risk, and that I will tell the instructor about any change in my health before a class.',
  dataConsent: 'I consent to the studio processing my health information so that classes can be planned safely for me.',
  marketingConsent: 'I would like to hear about news and offers by email (optional).',
} as const

type Texts = { healthDisclaimer: string; dataConsent: string; marketingConsent: string }

/** The texts of a version; undefined if there is no such version. */
export function consentTexts(version: string): Texts | undefined {
  return version === consents.version ? consents : undefined
}
