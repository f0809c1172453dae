/** What is read of the member's own data, by its keys. */
export const consentsKey = ['own-data', 'consents'] as const
export const keptUntilKey = ['own-data', 'kept-until'] as const
export const complaintsKey = ['own-data', 'complaints'] as const
export const healthReadsKey = ['own-data', 'health-reads'] as const
