import { Link } from 'react-router'

/** The link back and the title of a page outside the tabs. */
export function PageHead({ title, to = '/admin', back = 'Admin' }: { title: string; to?: string; back?: string }) {
  return (
    <>
      <Link to={to} className="link inline-flex min-h-11 items-center">
        Back to {back}
      </Link>
      <h1 className="mt-2 font-serif text-[2.25rem]/[1.05] tracking-[-0.01em]">{title}</h1>
    </>
  )
}
