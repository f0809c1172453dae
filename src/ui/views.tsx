import { Link, useSearchParams } from 'react-router'

/** A segmented control of links, kept in the address as `?view=`. The first one is the default. */
export function Views({
  label,
  views,
}: {
  label: string
  views: readonly (readonly [value: string, label: string])[]
}) {
  const [query] = useSearchParams()
  const shown = viewOf(query, views)
  return (
    <nav aria-label={label} className="flex rounded-full bg-sand p-1 max-sm:w-full max-sm:overflow-x-auto">
      {views.map(([value, text], i) => {
        const to = new URLSearchParams(query)
        for (const name of ['search', 'page', 'from', 'state']) to.delete(name)
        if (i === 0) to.delete('view')
        else to.set('view', value)
        return (
          <Link
            key={value}
            to={`?${to}`}
            preventScrollReset
            aria-current={value === shown ? 'page' : undefined}
            className="grid min-h-11 flex-1 place-items-center rounded-full px-5 text-small max-sm:px-2 font-medium whitespace-nowrap text-ink-soft focus-visible:rounded-full aria-[current=page]:bg-paper aria-[current=page]:text-ink aria-[current=page]:shadow-rest"
          >
            {text}
          </Link>
        )
      })}
    </nav>
  )
}

export function viewOf<V extends string>(query: URLSearchParams, views: readonly (readonly [V, string])[]): V {
  const asked = query.get('view')
  return (views.find(([value]) => value === asked) ?? (views[0] as readonly [V, string]))[0]
}
