import { EmailLink, PhoneLink } from '#content/web/facts.tsx'

/** For browsers with JavaScript switched off, on pages that show what is there but cannot do anything about it. */
export function WithoutScript() {
  return (
    <noscript>
      <div className="wrap max-w-[1200px] pt-8">
        <p className="card max-w-[44em] p-5">
          Your browser has JavaScript switched off. To book, move, cancel or pay here it must be on. Or ring{' '}
          <PhoneLink /> or write to <EmailLink />, and we do it for you.
        </p>
      </div>
    </noscript>
  )
}
