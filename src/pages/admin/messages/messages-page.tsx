import { Link, useSearchParams } from 'react-router'
import { audienceOf, textOf } from '#mailings/web/messages.ts'
import { Compose } from './compose.tsx'
import { SentMessages } from './sent-messages.tsx'

/** Whom a message is for stands in the address, so that other screens lead here with it. */
export default function MessagesPage() {
  const [query, setQuery] = useSearchParams()
  const audience = audienceOf(query.get('to'))
  return (
    <>
      <Link to="/admin" className="link inline-flex min-h-11 items-center">
        Back to Admin
      </Link>
      <h1 className="mt-2 font-serif text-[2.25rem]/[1.05] tracking-[-0.01em]">Messages</h1>
      <Compose
        audience={audience}
        kind={query.get('kind') === 'marketing' ? 'marketing' : 'service'}
        onAudience={(next) =>
          setQuery({ view: 'messages', ...(next && { to: textOf(next) }) }, { replace: true, preventScrollReset: true })
        }
      />
      <SentMessages />
    </>
  )
}
