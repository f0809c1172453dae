/**
 * The consents in the last step of the health form. Saving records the time and the version: if you change a word, raise
 * the version and move the old texts to {@link EARLIER_CONSENTS}.
 */
export const consents = {
  version: '3',
  healthDisclaimer:
    'I confirm that my answers are true and complete as far as I know, that I take part at my own risk, and that I will tell the instructor about any change in my health before a class.',
  dataConsent: 'I consent to the studio processing my health information so that classes can be planned safely for me.',
  marketingConsent: 'I would like to hear about news and offers by email (optional).',
} as const

type Texts = { healthDisclaimer: string; dataConsent: string; marketingConsent: string }

const VERSION_2_DISCLAIMER =
  'I confirm that my answers are true and complete as far as I know, that I take part at my own responsibility, and that I will tell the instructor about any change in my health before a class.'

/** Members can still read the version they agreed to. */
const EARLIER_CONSENTS: { readonly [version: string]: Texts } = {
  1: {
    ...consents,
    healthDisclaimer: VERSION_2_DISCLAIMER,
    marketingConsent: 'I would like to hear about news and offers by e-mail (optional).',
  },
  2: { ...consents, healthDisclaimer: VERSION_2_DISCLAIMER },
}

/** The texts of a version, if they are known. */
export function consentTexts(version: string): Texts | undefined {
  return version === consents.version ? consents : EARLIER_CONSENTS[version]
}
