import { studio } from '../../studio.ts'
import type { Question } from './questions.tsx'

const { policies } = studio

/** What somebody asks before paying. The page shows them, search engines read them. */
export const PRICING_QUESTIONS: readonly Question[] = [
  {
    question: 'How does a pass work?',
    answer:
      'A pass holds credits. One credit is one place in one class, whichever you choose. If you hold two passes, the one that runs out first is used first.',
  },
  {
    question: 'How long is it valid?',
    answer:
      'The months stand on each card and count from the day you buy. The class itself has to fall within them; what is left afterwards runs out.',
  },
  {
    question: 'What if I have to cancel a class?',
    answer: `Your credit comes back until ${policies.lateCancellationMinutes} minutes before the start; after that the class is charged in full. We ask for ${policies.noticeHours} hours’ notice. If we cancel, your credit always comes back.`,
  },
  {
    question: 'Can I have my money back?',
    answer: `Within ${policies.refundDays} days of buying, if no credit has been used, less a ${policies.refundFeePercent}% processing fee. It goes back to the card you paid with. The refund policy has the details.`,
  },
  {
    question: 'How do I pay?',
    answer:
      'By card, on this site. A card payment provider takes the payment; your card number never reaches us. The pass is active at once and a receipt comes by email.',
  },
  {
    question: 'Is there a membership or a subscription?',
    answer:
      'No. You need an account, because we have to know who is coming and what to look after. The account costs nothing, and nothing renews by itself.',
  },
]
