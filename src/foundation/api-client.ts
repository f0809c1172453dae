import { type DataTag, keepPreviousData } from '@tanstack/react-query'
import { type Arguments, CallError, call, callPage, type Page } from './call.ts'
import type { AnswerOf, CallOf, Endpoint } from './endpoint.ts'
import type { commonRefusals } from './refusal.ts'

type Method = Endpoint['method']
/** A contract's exports that the browser calls. Files are links, so they are not among them. */
type Endpoints<Contract> = {
  [Name in keyof Contract as Contract[Name] extends Endpoint
    ? Contract[Name] extends { file: string }
      ? never
      : Name
    : never]: Contract[Name] extends Endpoint ? Contract[Name] : never
}
/** `POST /api/bookings`: the compiler refuses an address that is not the contract's, and a missing one. */
type Addresses<Contract> = {
  [Name in keyof Endpoints<Contract>]: `${Endpoints<Contract>[Name]['method']} ${Endpoints<Contract>[Name]['path']}`
}

/** The codes that this endpoint, or any endpoint, may refuse with. */
export type RefusalCodeOf<E extends Endpoint> = NonNullable<E['refusals']>[number]['code'] | keyof typeof commonRefusals

/** One endpoint as the browser uses it. */
export type Operation<E extends Endpoint = Endpoint> = {
  /** What every cached answer's key begins with: a mutation lists the operations it makes stale. */
  readonly key: readonly [part: string, operation: string]
  /**
   * @throws {CallError} for every answer that is not a success
   * @throws {Unreachable} when there is no answer
   */
  call(...sent: Arguments<E>): Promise<AnswerOf<E>>
  /** For `useQuery` and `queryClient`: the reply. */
  queryOptions(...sent: Arguments<E>): Query<AnswerOf<E>>
  /** For a list that comes in pages: `{ rows, total, isMore }`. While the next page is fetched, the one before stays. */
  pageOptions(...sent: Arguments<E>): Query<Page<E>> & { placeholderData: typeof keepPreviousData }
  /** For `useMutation`: its variables are what is sent. */
  mutationOptions(): { mutationKey: readonly unknown[]; mutationFn: (sent: CallOf<E>) => Promise<AnswerOf<E>> }
  /** Whether a call failed with one of these codes. */
  isRefusal(error: unknown, ...codes: RefusalCodeOf<E>[]): boolean
}

type Query<Data> = { queryKey: DataTag<readonly unknown[], Data, Error>; queryFn: () => Promise<Data> }

/** The operations of one part, by the names of its contract's entries. */
export type ApiClient<Contract> = {
  readonly [Name in keyof Endpoints<Contract>]: Operation<Endpoints<Contract>[Name]>
}

/**
 * Derives a part's client from its contract. Only the contract's type is used, so pages load no schemas.
 *
 * @param part what the keys of its cached answers begin with
 */
export function apiClient<Contract>(part: string, addresses: Addresses<Contract>): ApiClient<Contract> {
  const operations = Object.entries<string>(addresses).map(([name, address]) => [name, operation(part, name, address)])
  // `Addresses` makes the compiler demand every operation.
  return Object.fromEntries(operations) as ApiClient<Contract>
}

function operation(part: string, name: string, text: string): Operation {
  const [method, path = ''] = text.split(' ')
  const address = { method: method as Method, path }
  const key = [part, name] as const
  // A data tag exists for the compiler alone.
  const query = <Data>(queryFn: () => Promise<Data>, ...rest: unknown[]) =>
    ({ queryKey: [...key, ...rest], queryFn }) as unknown as Query<Data>
  return {
    key,
    call: (...sent) => call(address, ...sent),
    queryOptions: (...sent) => query(() => call(address, ...sent), ...sent),
    pageOptions: (...sent) => ({
      ...query<Page<Endpoint>>(() => callPage(address, ...sent), 'page', ...sent),
      placeholderData: keepPreviousData,
    }),
    mutationOptions: () => ({ mutationKey: key, mutationFn: (sent) => call(address, sent) }),
    isRefusal: (error, ...codes) => error instanceof CallError && codes.some((code) => code === error.code),
  }
}

/**
 * For queries whose data is fresh enough when it comes with the page: fetched again only after client-side navigation. Data
 * from the server has no time of reading.
 */
export const skipRefetchOfSsrData = {
  refetchOnMount: ({ state }: { state: { dataUpdatedAt: number } }) => state.dataUpdatedAt > 0,
}
