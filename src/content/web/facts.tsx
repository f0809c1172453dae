import { createContext, use } from 'react'
import type { PublicFacts } from '#facts/contract.ts'
import { legalLines, phoneLink } from '#facts/rules.ts'

/** The studio's facts, as the page came with them. */
export const Facts = createContext<PublicFacts | null>(null)

/** @throws outside a page */
export function useFacts(): PublicFacts {
  const facts = use(Facts)
  if (!facts) throw new Error('the page knows nothing of the studio')
  return facts
}

export const StudioName = () => useFacts().name
export const TeacherName = () => useFacts().instructor.name

/** Who runs the studio by law, as sentences; empty until filled in. `ico` adds the data protection registration. */
export function WhoRunsThis({ ico = false }: { ico?: boolean }) {
  const facts = useFacts()
  const number = ico && facts.legal?.icoNumber
  const sentences = [
    ...legalLines(facts),
    ...(number ? [`Our registration number with the Information Commissioner’s Office is ${number}`] : []),
  ]
  return sentences.length > 0 && <p>{`${sentences.join('. ')}.`}</p>
}

/** `7 Aldergate Mews, Harrogate HG1 2ZZ`; with `county` as in legal texts. */
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

/** Wraps only if it is longer than a line. */
export const Together = ({ children }: { children: string }) => (
  <span className="inline-block [text-decoration:inherit]">{children}</span>
)

/** Never wraps. */
export const Postcode = ({ children }: { children: string }) => <span className="whitespace-nowrap">{children}</span>

export function PhoneLink({ className = 'link' }: { className?: string }) {
  const { phone } = useFacts()
  return (
    <a className={`whitespace-nowrap ${className}`} href={phoneLink(phone)}>
      {phone}
    </a>
  )
}

export function EmailLink({ className = 'link wrap-anywhere' }: { className?: string }) {
  const { email } = useFacts()
  return (
    <a className={className} href={`mailto:${email}`}>
      {email}
    </a>
  )
}
