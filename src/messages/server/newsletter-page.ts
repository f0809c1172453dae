import { createElement as h, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { STYLE_SHEET } from '#site-map.ts'
import {
  NEWSLETTER_CONFIRM,
  NEWSLETTER_FORM,
  NEWSLETTER_UNSUBSCRIBE,
  NEWSLETTER_UNSUBSCRIBE_FORM,
} from '../contract.ts'
import { CONFIRM_WITHIN_DAYS } from '../rules.ts'

/** The site's own styles and fonts, one form, no script. */
export const NEWSLETTER_POLICY =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

/** The same path as in `ui/mark.tsx`. */
const MARK = 'M5 31V16a12 12 0 0 1 24 0v15M11 31V17a6 6 0 0 1 12 0v14M2.5 31h29'

const withToken = (path: string, token: string) => `${path}?token=${encodeURIComponent(token)}`
const link = (href: string, label: string) => h('a', { key: href, className: 'link', href }, label)
const toHome = link('/', 'Back to Home')
const toBlog = h('a', { key: 'blog', className: 'btn btn-primary', href: '/blog' }, 'Read the blog')

const ADDRESS_FORMS = {
  subscribe: { action: NEWSLETTER_FORM, label: 'Subscribe' },
  unsubscribe: { action: NEWSLETTER_UNSUBSCRIBE_FORM, label: 'Email me a link' },
}
export type AddressForm = keyof typeof ADDRESS_FORMS

/** The pages behind emailed links, and behind the newsletter form when JavaScript is off. */
export type NewsletterPage =
  | { shows: 'requested' | 'confirmed' | 'subscribed' | 'agreed'; token: string }
  | { shows: 'left' | 'objected' | 'test' | 'unknown' | 'unknown-unsubscribe' }
  | { shows: 'sent'; message: string }
  | { shows: 'wrong-address'; form: AddressForm; email: string; message: string }

/** Renders one of these pages. In development it has no styles, because Vite serves them. */
export function newsletterPage(page: NewsletterPage, studioName: string): string {
  const { title, text, action } = contentOf(page)
  return `<!doctype html>${renderToStaticMarkup(
    h(
      'html',
      { lang: 'en-GB' },
      h(
        'head',
        null,
        h('meta', { charSet: 'utf-8' }),
        h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
        h('meta', { name: 'robots', content: 'noindex' }),
        h('title', null, `${title} | ${studioName}`),
        h('link', { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' }),
        h('link', { rel: 'stylesheet', href: STYLE_SHEET }),
      ),
      h(
        'body',
        null,
        wordmark(studioName),
        h(
          'main',
          { className: 'wrap grid flex-1 place-items-center py-16 text-center' },
          h(
            'div',
            { className: 'max-w-full min-w-0' },
            h('h1', { className: 'display-2' }, title),
            h('p', { className: 'lede mx-auto mt-4 max-w-[26em]' }, text),
            h('div', { className: 'mt-8 flex flex-wrap items-center justify-center gap-x-8 gap-y-4' }, action),
          ),
        ),
      ),
    ),
  )}`
}

const wordmark = (studioName: string) =>
  h(
    'header',
    { className: 'wrap py-6' },
    h(
      'a',
      { className: 'inline-flex min-h-11 items-center gap-3', href: '/' },
      h(
        'svg',
        { width: 34, height: 34, viewBox: '0 0 34 34', 'aria-hidden': true, className: 'flex-none' },
        h('path', { d: MARK, fill: 'none', stroke: 'currentColor', strokeWidth: 1.5, strokeLinecap: 'round' }),
      ),
      h('span', { className: 'font-serif text-[min(1.625rem,8.2vw)]/none tracking-[-0.01em]' }, studioName),
    ),
  )

function contentOf(page: NewsletterPage): { title: string; text: string; action: ReactNode } {
  switch (page.shows) {
    case 'sent':
      return { title: 'Please check your inbox', text: page.message, action: toBlog }
    case 'wrong-address':
      return {
        title: 'Check your email address',
        text: `${page.message}. Please check it and try again.`,
        action: addressForm(page.form, page.email),
      }
    case 'requested':
      return {
        title: 'Join the newsletter?',
        text: 'Select the button to join the list. You can unsubscribe at any time.',
        action: [
          postButton(withToken(NEWSLETTER_CONFIRM, page.token), 'Confirm subscription'),
          link(withToken(NEWSLETTER_UNSUBSCRIBE, page.token), 'Forget my address'),
        ],
      }
    case 'confirmed':
      return {
        title: 'You are on the list',
        text: 'Thank you. We will send you the next newsletter. You can unsubscribe at any time.',
        action: [toBlog, link(withToken(NEWSLETTER_UNSUBSCRIBE, page.token), 'Unsubscribe')],
      }
    case 'subscribed':
      return {
        title: 'Leave the newsletter?',
        text: 'If you unsubscribe, we will stop writing to you and delete your address.',
        action: [unsubscribeButton(page.token), toHome],
      }
    case 'agreed':
      return {
        title: 'No more news and offers?',
        text: 'If you unsubscribe, we will only write to you about your bookings and purchases.',
        action: [unsubscribeButton(page.token), toHome],
      }
    case 'objected':
      return {
        title: 'You are unsubscribed',
        text: 'We will not send you any more news and offers. We will still write to you about your bookings and purchases.',
        action: toHome,
      }
    case 'test':
      return {
        title: 'This was a test',
        text: 'In the real email, this link leads to a button that unsubscribes the recipient.',
        action: link('/admin?view=messages', 'Back to Messages'),
      }
    case 'left':
      return {
        title: 'You are unsubscribed',
        text: 'We have deleted your address and will not write to it again.',
        action: toHome,
      }
    case 'unknown-unsubscribe':
      return {
        title: 'This link did not unsubscribe you',
        text: 'It may be incomplete or already used. Enter your email address and we will send you a new link.',
        action: addressForm('unsubscribe', ''),
      }
    default:
      return {
        title: 'This link no longer works',
        text: `The link is older than ${CONFIRM_WITHIN_DAYS} days, or your address is no longer on our list. You can subscribe again at any time.`,
        action: [addressForm('subscribe', ''), link('/blog', 'Back to the blog')],
      }
  }
}

/** Nothing happens without a click, because mail programs open links automatically. */
function postButton(action: string, label: string): ReactNode {
  return h(
    'form',
    { key: 'post', method: 'post', action },
    h('button', { type: 'submit', className: 'btn btn-primary' }, label),
  )
}

const unsubscribeButton = (token: string) => postButton(withToken(NEWSLETTER_UNSUBSCRIBE, token), 'Unsubscribe')

function addressForm(form: AddressForm, email: string): ReactNode {
  const { action, label } = ADDRESS_FORMS[form]
  return h(
    'form',
    {
      key: 'address',
      method: 'post',
      action,
      className: 'flex max-w-full flex-wrap items-end justify-center gap-3 text-left',
    },
    h(
      'label',
      { className: 'block w-[20em] max-w-full text-small font-medium' },
      'Email',
      h('input', {
        className: 'input mt-2 font-normal',
        type: 'email',
        name: 'email',
        autoComplete: 'email',
        required: true,
        defaultValue: email,
      }),
    ),
    h('button', { type: 'submit', className: 'btn btn-primary' }, label),
  )
}
