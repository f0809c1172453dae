/**
 * What a member agrees to in the last step of the health form. Saving records when, and to which version.
 * Whoever changes a word gives the texts a new version: what was agreed to before must stay known (in git).
 */
export const consents = {
  version: '1',
  healthDisclaimer:
    'I have answered as completely and honestly as I can. I understand that reformer Pilates is physical exercise and carries some risk, that the studio does not give medical advice, and that I should ask my doctor first if I am unsure. I will tell the studio when my health changes.',
  dataConsent:
    'I agree that the studio keeps my health information and emergency contact, encrypted, to teach me safely. Only the studio reads it. It is deleted six months after my last class, or when I delete my account.',
  marketingConsent: 'The studio may send me news and offers by e-mail. I can stop this at any time.',
} as const
