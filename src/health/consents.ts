/**
 * What a member agrees to in the last step of the health form. Saving records when, and to which version.
 * Whoever changes a word gives the texts a new version: what was agreed to before must stay known (in git).
 */
export const consents = {
  version: '2',
  healthDisclaimer:
    'I confirm that my answers are true and complete as far as I know, that I take part at my own responsibility, and that I will tell the instructor about any change in my health before a class.',
  dataConsent: 'I consent to the studio processing my health information so that classes can be planned safely for me.',
  marketingConsent: 'I would like to hear about news and offers by email (optional).',
} as const
