import { type DataTag, keepPreviousData } from '@tanstack/react-query'
import { type Arguments, CallError, call, callPage, callRead, type Page } from './call.ts'
import type { Audience, Endpoint, ResponseOf } from './endpoint.ts'
import type { commonRefusals } from './refusal.ts'

type Method = Endpoint['method']
/** A contract's endpoints, except files, which are links. */
type Endpoints<Contract> = {
  [Name in keyof Contract as Contract[Name] extends Endpoint
    ? Contract[Name] extends { file: string }
      ? never
      : Name
    : never]: Contract[Name] extends Endpoint ? Contract[Name] : never
}
/** A contract's endpoints for some callers. One client per audience keeps admin addresses off members' pages. */
export type For<Contract, Who extends Audience> = {
  [Name in keyof Endpoints<Contract> as Endpoints<Contract>[Name]['who'] extends Who
    ? Name
    : never]: Endpoints<Contract>[Name]
}
/** `POST /api/bookings` for each endpoint; the compiler checks them against the contract. */
type Addresses<Contract> = {
  [Name in keyof Endpoints<Contract>]: `${Endpoints<Contract>[Name]['method']} ${Endpoints<Contract>[Name]['path']}`
}

/** The codes that an endpoint may refuse with. */
type RefusalCodeOf<E extends Endpoint> = NonNullable<E['refusals']>[number]['code'] | keyof typeof commonRefusals

export type Operation<E extends Endpoint = Endpoint> = {
  /** The prefix of its query keys. */
  readonly key: readonly [part: string, operation: string]
  /**
   * @throws {CallError} if the response is not a success
   * @throws {Unreachable} if there is no response
   */
  call(...sent: Arguments<E>): Promise<ResponseOf<E>>
  queryOptions(...sent: Arguments<E>): Query<ResponseOf<E>>
  /** For a paged list. The current page stays while the next one is fetched. */
  pageOptions(...sent: Arguments<E>): Query<Page<E>> & { placeholderData: typeof keepPreviousData }
  /** Whether a call was refused with one of these codes. */
  isRefusal(error: unknown, ...codes: RefusalCodeOf<E>[]): boolean
}

type Query<Data> = { queryKey: DataTag<readonly unknown[], Data, Error>; queryFn: () => Promise<Data> }

type ApiClient<Contract> = {
  readonly [Name in keyof Endpoints<Contract>]: Operation<Endpoints<Contract>[Name]>
}

/**
 * Derives a part's client from the types of its contracts, so pages load no schemas.
 *
 * @param part the first element of its query keys
 */
export function apiClient<Contract>(part: string, addresses: Addresses<Contract>): ApiClient<Contract> {
  const operations = Object.entries<string>(addresses).map(([name, address]) => [name, operation(part, name, address)])
  // `Addresses` requires every operation.
  return Object.fromEntries(operations) as ApiClient<Contract>
}

function operation(part: string, name: string, text: string): Operation {
  const [method, path = ''] = text.split(' ')
  const address = { method: method as Method, path }
  const key = [part, name] as const
  // A data tag exists only in types.
  const query = <Data>(queryFn: () => Promise<Data>, ...rest: unknown[]) =>
    ({ queryKey: [...key, ...rest], queryFn }) as unknown as Query<Data>
  return {
    key,
    call: (...sent) => call(address, ...sent),
    queryOptions: (...sent) => query(() => callRead(address, ...sent), ...sent),
    pageOptions: (...sent) => ({
      ...query<Page<Endpoint>>(() => callPage(address, ...sent), 'page', ...sent),
      placeholderData: keepPreviousData,
    }),
    isRefusal: (error, ...codes) => error instanceof CallError && codes.some((code) => code === error.code),
  }
}

/** Query options: data that came with a public page is fresh enough, so refetch only after client-side navigation. */
export const skipRefetchOfSsrData = {
  refetchOnMount: ({ state }: { state: { dataUpdatedAt: number } }) => state.dataUpdatedAt > 0,
}
