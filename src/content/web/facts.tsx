import { createContext, use } from 'react'
import type { PublicFacts } from '#facts/contract.ts'
import { phoneLink } from '#facts/rules.ts'

/** What the studio says of itself, as the page came with it. */
export const Facts = createContext<PublicFacts | null>(null)

/** @throws outside a page */
export function useFacts(): PublicFacts {
  const facts = use(Facts)
  if (!facts) throw new Error('the page knows nothing of the studio')
  return facts
}

/** `7 Aldergate Mews, Harrogate HG1 2ZZ`; in legal texts with the county. */
export function Address({ county = false }: { county?: boolean }) {
  const { address } = useFacts()
  const { street, town, postcode } = address
  return (
    <>
      <Together>{`${street},`}</Together> {county ? `${town}, ` : town}
      {county && <Together>{address.county}</Together>} <Postcode>{postcode}</Postcode>
    </>
  )
}

/** Broken only where it is longer than a whole line. */
export const Together = ({ children }: { children: string }) => (
  <span className="inline-block [text-decoration:inherit]">{children}</span>
)

/** Never broken over two lines. */
export const Postcode = ({ children }: { children: string }) => <span className="whitespace-nowrap">{children}</span>

/** The number, one tap from a call. */
export function PhoneLink({ className = 'link' }: { className?: string }) {
  const { phone } = useFacts()
  return (
    <a className={`whitespace-nowrap ${className}`} href={phoneLink(phone)}>
      {phone}
    </a>
  )
}

/** The address, one tap from an email. A long one breaks rather than widening the page. */
export function EmailLink({ className = 'link wrap-anywhere' }: { className?: string }) {
  const { email } = useFacts()
  return (
    <a className={className} href={`mailto:${email}`}>
      {email}
    </a>
  )
}
