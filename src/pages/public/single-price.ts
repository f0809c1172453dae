import { queryOptions, useQuery } from '@tanstack/react-query'
import { useFacts } from '#content/web/facts.tsx'
import { skipRefetchOfSsrData } from '#foundation/api-client.ts'
import { priceOfOne } from '#packages/rules.ts'
import { packagesApi } from '#packages/web/packages.ts'

/** The price of one class without a pass; null if no such package is on sale. */
export const singlePrice = queryOptions({
  queryKey: [...packagesApi.listPackages.key, 'single'],
  queryFn: async () => priceOfOne(await packagesApi.listPackages.call()) ?? null,
})

/** The price on sale, so that it is the same on every page; without such a package the one in the settings. */
export function useSinglePrice(): string {
  const { prices } = useFacts()
  return useQuery({ ...singlePrice, ...skipRefetchOfSsrData }).data ?? prices.price
}
