/** Who is meant, and what to call them. */
export type NamedUser = { id: string; firstName: string; lastName: string }
