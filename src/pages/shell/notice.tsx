import { useFacts } from '#content/web/facts.tsx'

/** What the studio has to say today, above every page. */
export function Notice() {
  const { notice } = useFacts()
  if (!notice) return null
  return (
    <aside aria-label="Notice" className="bg-sage-tint print:hidden">
      <p className="wrap py-3 wrap-anywhere">{notice.text}</p>
    </aside>
  )
}
