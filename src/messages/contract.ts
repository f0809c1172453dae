import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import { emailAddress, Message } from '#foundation/fields.ts'
import { commonRefusals } from '#foundation/refusal.ts'

export const NewsletterForm = z.object({ email: emailAddress('Invalid email address') })
export const subscribe = endpoint('POST /api/newsletter', {
  who: 'anyone',
  summary: 'Ask for the newsletter: it begins once the mailed link was followed; answers the same for known addresses',
  body: NewsletterForm,
  reply: Message,
  refusals: [commonRefusals.too_many_requests],
})

/** Where mailed links lead; browsers follow them, nobody calls them. */
export const NEWSLETTER_CONFIRM = '/api/newsletter/confirm'
export const NEWSLETTER_UNSUBSCRIBE = '/api/newsletter/unsubscribe'
/** In place of a token: the link of a message that the owner has sent to themself to see how it looks. */
export const TEST_TOKEN = 'test'
/** Where a link that does not work offers a new one: a form with an address, answered with a page. */
export const NEWSLETTER_UNSUBSCRIBE_FORM = '/api/newsletter/unsubscribe/form'
/** What the form does where script is off: the same as {@link subscribe}, answered with a page. */
export const NEWSLETTER_FORM = '/api/newsletter/form'
