/**
 * For a query that comes with the page: what came is seconds old, so nobody is asked again. Who comes from another page
 * asks.
 */
export const asItCame = { refetchOnMount: ({ state }: { state: { dataUpdatedAt: number } }) => state.dataUpdatedAt > 0 }
