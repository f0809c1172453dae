/** A policy as directive → sources. */
export const readPolicy = (policy: string | null): Record<string, string[]> =>
  Object.fromEntries(
    (policy ?? '')
      .split('; ')
      .map((part) => part.split(' '))
      .map(([name, ...sources]) => [name, sources]),
  )
