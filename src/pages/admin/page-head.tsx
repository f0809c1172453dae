import { LineLink } from '#ui/button.tsx'

/** The link back and the title of a page outside the tabs. */
export function PageHead({ title, to = '/admin', back = 'Admin' }: { title: string; to?: string; back?: string }) {
  return (
    <>
      <LineLink to={to}>Back to {back}</LineLink>
      <h1 className="mt-2 font-serif text-[2.25rem]/[1.05] tracking-[-0.01em]">{title}</h1>
    </>
  )
}
