import type { PublicFacts } from '#facts/contract.ts'
import { fillPolicyNumbers } from '#facts/numbers.ts'
import { addressLine } from '#facts/rules.ts'
import { studio } from '#studio.ts'
import type { Question } from './questions.tsx'

const { session, arriveMinutes } = studio

/** Shown on the page and in its structured data. */
export const classQuestions = ({ address, phone, policies, visit, instructor }: PublicFacts): readonly Question[] => [
  {
    question: 'I have never been on a reformer. Where do I start?',
    answer: `With any class on the calendar, or alone if you would rather have the room to yourself. Make an account, choose a small pass, answer the health questionnaire (about three minutes) and book. In your first session ${instructor.name} shows you the carriage, the springs and the straps before anything becomes work.`,
  },
  {
    question: 'What do I wear, and what do I bring?',
    answer:
      'Clothes you can bend in, and socks, with grips if you have them. Water, if you like. Leave jewellery and anything with a zip at the back at home. Eat lightly beforehand.',
  },
  {
    question: `What happens in ${session.minutes} minutes?`,
    answer: `Five minutes to hear how you are, half an hour and a little on the reformer, and a few minutes to come down again. Come ${arriveMinutes} minutes early; a late start is a shorter session.`,
  },
  {
    question: 'Can I come to a duo class on my own?',
    answer:
      'Yes. A duo class has two places. You take one; the other stays free or goes to another member, who works at their own level beside you.',
  },
  {
    question: 'How do I get a one-on-one session?',
    answer: `One-on-one classes appear on the calendar when there are any. If none suits you, ring ${phone} and we will find a time together.`,
  },
  {
    question: 'I have an injury, a condition, or I am pregnant. Can I come?',
    answer:
      'Very likely, but let us talk first, and ask your GP or midwife. Tell us in the health questionnaire; it is kept encrypted and read only by the studio. We leave out what is not for you, and we say so when a session with us is not the right thing.',
  },
  {
    question: 'How old do I have to be?',
    answer:
      'Classes are for people of 18 and over. Younger people can come to a duo session with a parent or guardian, once we have written consent.',
  },
  {
    question: 'What if I have to cancel?',
    answer: fillPolicyNumbers(policies.cancelling),
  },
  {
    question: 'Where is it, and where do I leave the car?',
    answer: `${addressLine(address)}. ${visit.door} Parking: ${visit.parking[0]?.toLowerCase()}${visit.parking.slice(1)} ${visit.transport}`,
  },
]
