import { createElement as h, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { STYLE_SHEET } from '#site-map.ts'
import { studio } from '#studio.ts'
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

/** As `ui/mark.tsx` draws it. */
const MARK = 'M5 31V16a12 12 0 0 1 24 0v15M11 31V17a6 6 0 0 1 12 0v14M2.5 31h29'

const withToken = (path: string, token: string) => `${path}?token=${encodeURIComponent(token)}`
const BACK_TO_BLOG = h('a', { className: 'btn btn-primary', href: '/blog' }, 'Read the blog')
const link = (href: string, label: string) => h('a', { className: 'link', href }, label)

const ADDRESS_FORMS = {
  subscribe: { action: NEWSLETTER_FORM, label: 'Subscribe' },
  unsubscribe: { action: NEWSLETTER_UNSUBSCRIBE_FORM, label: 'Email me a link' },
}
/** A form with a field for an address, by its purpose. */
export type AddressForm = keyof typeof ADDRESS_FORMS

/** What somebody sees who follows a mailed link, and where the form leads when script is off. */
export type NewsletterPage =
  | { shows: 'asks-to-join' | 'confirmed' | 'asks-to-leave' | 'asks-to-object'; token: string }
  | { shows: 'left' | 'objected' | 'test' | 'unknown' | 'unknown-unsubscribe' | 'sent'; message?: string }
  | { shows: 'wrong-address'; form: AddressForm; email: string; message: string }

/** Writes one of these pages. In development, where Vite has the style sheet, it is plain. */
export function newsletterPage(page: NewsletterPage): string {
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
        h('title', null, `${title} | ${studio.name}`),
        h('link', { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' }),
        h('link', { rel: 'stylesheet', href: STYLE_SHEET }),
      ),
      h(
        'body',
        null,
        wordmark,
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

const wordmark = h(
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
    h('span', { className: 'font-serif text-[min(1.625rem,8.2vw)]/none tracking-[-0.01em]' }, studio.name),
  ),
)

function contentOf(page: NewsletterPage): { title: string; text: string; action: ReactNode } {
  switch (page.shows) {
    case 'sent':
      return { title: 'Please check your inbox', text: page.message ?? '', action: BACK_TO_BLOG }
    case 'wrong-address':
      return {
        title: 'That address does not look right',
        text: `${page.message}. Please check it and try again.`,
        action: addressForm(page.form, page.email),
      }
    case 'asks-to-join':
      return {
        title: 'Join the newsletter?',
        text: 'One click, and you are on the list. Every letter has a link to leave.',
        action: [
          postButton(withToken(NEWSLETTER_CONFIRM, page.token), 'Confirm subscription'),
          h('span', { key: 'leave' }, link(withToken(NEWSLETTER_UNSUBSCRIBE, page.token), 'Forget my address')),
        ],
      }
    case 'confirmed':
      return {
        title: 'You are on the list',
        text: 'Thank you. The next newsletter comes to you. Every one of them has a link to leave.',
        action: [
          h('span', { key: 'blog' }, BACK_TO_BLOG),
          h('span', { key: 'leave' }, link(withToken(NEWSLETTER_UNSUBSCRIBE, page.token), 'Unsubscribe')),
        ],
      }
    case 'asks-to-leave':
      return {
        title: 'Leave the newsletter?',
        text: 'One click, and we stop writing to you and forget your address.',
        action: [
          postButton(withToken(NEWSLETTER_UNSUBSCRIBE, page.token), 'Unsubscribe'),
          h('span', { key: 'home' }, link('/', 'Back to Home')),
        ],
      }
    case 'asks-to-object':
      return {
        title: 'No more news and offers?',
        text: 'One click, and we write to you only about what you have booked or bought.',
        action: [
          postButton(withToken(NEWSLETTER_UNSUBSCRIBE, page.token), 'Unsubscribe'),
          h('span', { key: 'home' }, link('/', 'Back to Home')),
        ],
      }
    case 'objected':
      return {
        title: 'You are unsubscribed',
        text: 'No more news and offers. We still write to you about what you have booked or bought.',
        action: link('/', 'Back to Home'),
      }
    case 'test':
      return {
        title: 'This was a test',
        text: 'In the email that the others get, this link leads them to a button that unsubscribes them.',
        action: link('/admin?view=messages', 'Back to Messages'),
      }
    case 'left':
      return {
        title: 'You are unsubscribed',
        text: 'We have forgotten your address and will not write to it again.',
        action: link('/', 'Back to Home'),
      }
    case 'unknown-unsubscribe':
      return {
        title: 'This link did not unsubscribe you',
        text: 'It may be incomplete, or used already. Enter your email address and we will send you a link that works.',
        action: addressForm('unsubscribe', ''),
      }
    default:
      return {
        title: 'This link no longer works',
        text: `It is older than ${CONFIRM_WITHIN_DAYS} days, or the address is not on our list any more. You can ask for the newsletter again whenever you like.`,
        action: [addressForm('subscribe', ''), h('span', { key: 'blog' }, link('/blog', 'Back to the blog'))],
      }
  }
}

/** Only a click acts: mail programs open links by themselves. */
function postButton(action: string, label: string): ReactNode {
  return h(
    'form',
    { key: 'act', method: 'post', action },
    h('button', { type: 'submit', className: 'btn btn-primary' }, label),
  )
}

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
      { className: 'block w-[20em] max-w-full text-[0.9375rem] font-medium' },
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
