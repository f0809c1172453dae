import { studio } from '../studio.ts'

type Clause = { title: string; text: string }

const {
  noticeHours,
  lateCancellationMinutes,
  refundDays,
  refundFeePercent,
  refundArrivesBusinessDays,
  studioCancellationGraceDays,
} = studio.policies
const { name } = studio
const reach = `${studio.email}, ${studio.phone}, or ${studio.address.street}, ${studio.address.town}, ${studio.address.postcode}`

/** First versions, short and true to how the system behaves. A lawyer should read them before a real studio opens. */
export const refundPolicy: readonly Clause[] = [
  {
    title: 'Class Passes',
    text: `A pass is valid for the time stated when you buy it. Unused passes can be refunded within ${refundDays} days of purchase, less a ${refundFeePercent}% processing fee. The refund goes to the original payment method within ${refundArrivesBusinessDays} business days. A pass of which a class has been used is not refunded.`,
  },
  {
    title: '14-Day Cooling-Off',
    text: `Passes bought online or at a distance come with a cooling-off period of ${refundDays} days. It applies to unused passes only. This does not affect your rights under the Consumer Contracts Regulations 2013.`,
  },
  {
    title: 'Cancellations by Clients',
    text: `We ask for at least ${noticeHours} hours' notice, so that somebody else can take your place. Less notice or a no-show may forfeit the class. As the booking page promises, a booking cancelled more than ${lateCancellationMinutes} minutes before its start always gives its credit back; inside ${lateCancellationMinutes} minutes it is charged in full.`,
  },
  {
    title: 'Cancellations by the studio',
    text: `If we have to cancel a class, your credit goes back to your pass at once and we tell you by e-mail. A pass that would expire within ${studioCancellationGraceDays} days stays valid for ${studioCancellationGraceDays} days, so that you can choose another time.`,
  },
  {
    title: 'Exceptional Circumstances',
    text: `Illness, injury or bereavement: write to us at ${studio.email}. We look at each case with good will.`,
  },
]

export const terms: readonly Clause[] = [
  {
    title: 'General terms',
    text: `These terms apply to everyone who books with ${name}. Classes are for people aged 18 and over. A minor may take part in a duo session when accompanied by a guardian, with our prior written consent.`,
  },
  {
    title: 'Booking and payment',
    text: 'You book online with a class pass. A pass is paid in full by card before it is used and is personal to you. A booking is made when we confirm it.',
  },
  {
    title: 'Refunds',
    text: `Unused passes can be refunded within ${refundDays} days, less a ${refundFeePercent}% processing fee. The refund policy says more.`,
  },
  {
    title: 'Health and safety',
    text: 'You complete a health questionnaire before your first booking and tell us about changes before a class. Please follow the instructor’s guidance, and stop if something hurts.',
  },
  {
    title: 'Liability',
    text: 'You take part at your own responsibility. Nothing in these terms limits our liability for death or personal injury caused by negligence, or any other liability that the law does not allow to be limited.',
  },
  {
    title: 'Studio rules',
    text: 'Please come five minutes early, wear socks and keep your phone silent. We may refuse a class to somebody who endangers others.',
  },
  {
    title: 'Intellectual property',
    text: `Texts, pictures and the name on this site belong to ${name} and may not be used without our consent.`,
  },
  { title: 'Privacy', text: 'How we handle your data, health information above all, stands in the privacy policy.' },
  {
    title: 'Force majeure',
    text: 'We are not liable for what lies outside our control, such as weather, power failures or public orders. Credits for classes that cannot take place are returned.',
  },
  { title: 'Governing law', text: 'These terms are governed by the law of England and Wales.' },
  { title: 'Contact', text: `Questions about these terms: ${reach}.` },
]

export const privacyPolicy: readonly Clause[] = [
  {
    title: 'Who we are',
    text: `${name}, ${studio.address.street}, ${studio.address.town}, ${studio.address.county}, ${studio.address.postcode}, is responsible for your data.`,
  },
  {
    title: 'What we collect',
    text: 'Your name and e-mail address; your passes, bookings and payments; the health information and the emergency contact that you give us. Card details go to the card payment provider and never reach us.',
  },
  {
    title: 'How we collect it',
    text: 'From you: when you sign up, buy a pass, book a class or fill in the health questionnaire.',
  },
  {
    title: 'Why we use it',
    text: 'To run your account and bookings, to teach you safely, to keep the accounts the law asks for and, only if you have agreed, to send you news.',
  },
  {
    title: 'How long we keep it',
    text: 'Contact details for 2 years after your last class, health information for 6 months after it, financial records for 6 years.',
  },
  {
    title: 'Whom we share it with',
    text: 'With the card payment provider, to take payments, and with the service that delivers our e-mail. We sell nothing to anybody.',
  },
  {
    title: 'Your rights',
    text: `You may see, correct, take with you or delete your data, and object to its use. Write to ${studio.email}; we answer within 1 month. You may also complain to the Information Commissioner’s Office.`,
  },
  {
    title: 'How we protect it',
    text: 'Connections are encrypted, passwords are stored only as hashes, and health information is encrypted where it is stored. Reading of health updates by the studio is recorded.',
  },
  {
    title: 'International transfers',
    text: 'Where a provider works outside the United Kingdom, we use one that offers the safeguards the law asks for.',
  },
  {
    title: 'Cookies',
    text: 'We set a cookie that keeps you logged in, and beside it one that says no more than that you are. There are no advertising or tracking cookies. The payment page may set cookies of the card payment provider to prevent fraud.',
  },
  { title: 'Changes to this policy', text: 'If this policy changes, the new version appears on this page.' },
  { title: 'Contact', text: `Questions about your data: ${reach}.` },
]
