import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import { emailAddress, Message } from '#foundation/fields.ts'
import { commonRefusals } from '#foundation/refusal.ts'

export const NewsletterForm = z.object({ email: emailAddress('Invalid email address') })
export const subscribe = endpoint('POST /api/newsletter', {
  who: 'anyone',
  summary: 'Emails a link to confirm the newsletter; the response is the same for addresses already on the list',
  body: NewsletterForm,
  response: Message,
  refusals: [commonRefusals.too_many_requests],
})

/** Mailed links lead to these two. */
export const NEWSLETTER_CONFIRM = '/api/newsletter/confirm'
export const NEWSLETTER_UNSUBSCRIBE = '/api/newsletter/unsubscribe'
/** Used instead of a token in a test message that an admin sends to themself. */
export const TEST_TOKEN = 'test'
/** A form that emails a new unsubscribe link; responds with a page. */
export const NEWSLETTER_UNSUBSCRIBE_FORM = '/api/newsletter/unsubscribe/form'
/** {@link subscribe} without JavaScript; responds with a page. */
export const NEWSLETTER_FORM = '/api/newsletter/form'
