import type { PublicFacts } from '#facts/contract.ts'
import { withNumbers } from '#facts/numbers.ts'
import type { Question } from './questions.tsx'

/** What somebody asks before paying. The page shows them, search engines read them. */
export const pricingQuestions = ({ policies }: PublicFacts): readonly Question[] => [
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
    answer: withNumbers(policies.cancelling),
  },
  {
    question: 'Can I have my money back?',
    answer: withNumbers(policies.refunds),
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
