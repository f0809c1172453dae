import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call, callPage } from '../../foundation/call.ts'
import type { Audience, Draft, getMessage, listMessages, previewMessage } from '../contract.ts'
import { type Kind, LISTS } from '../rules.ts'

export const messagesKey = ['admin', 'messages'] as const

/** Somebody may have booked a minute ago: what is shown before sending is asked anew each time. */
const FRESH = { gcTime: 0, staleTime: 0 }

/** Who a draft would reach, and how it reads. */
export const usePreview = (draft: Draft | undefined) =>
  useQuery({
    queryKey: [...messagesKey, 'preview', draft],
    queryFn: () =>
      call<typeof previewMessage>(
        { method: 'POST', path: '/api/admin/messages/preview' },
        { body: draft ?? { audience: 'members' } },
      ),
    enabled: draft !== undefined,
    ...FRESH,
  })

/** So often the progress of a message that is on its way is looked at, and for so long. */
const LOOK_MS = 2000
const LOOK_FOR_MS = 3 * 60_000

/** What was sent, the newest first; while one that was just sent is on its way its progress is followed. */
export const useMessages = (query: { limit: number; offset: number }) =>
  useQuery({
    queryKey: [...messagesKey, 'list', query],
    queryFn: () => callPage<typeof listMessages>({ method: 'GET', path: '/api/admin/messages' }, { query }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data?.rows.some(({ queued }) => queued > 0) && dataUpdateCount * LOOK_MS < LOOK_FOR_MS ? LOOK_MS : false,
    ...FRESH,
  })

/** One message with whom it did not reach. */
export const useMessage = (id: number) =>
  useQuery({
    queryKey: [...messagesKey, 'one', id],
    queryFn: () => call<typeof getMessage>({ method: 'GET', path: '/api/admin/messages/:id' }, { params: { id } }),
    ...FRESH,
  })

/** Where a message to an audience is written; news and offers where that is said. */
export const writeTo = (audience: Audience, kind: Kind = 'service') =>
  `/admin?${new URLSearchParams({ view: 'messages', to: textOf(audience), ...(kind === 'marketing' && { kind }) })}`

/** An audience as it stands in an address: `class:12`, `days:2026-12-08..2026-12-09`, `people:a,b`, `list:expiring`, `members`, `newsletter`. */
export function textOf(audience: Audience): string {
  if (typeof audience === 'string') return audience
  if ('classId' in audience) return `class:${audience.classId}`
  if ('userIds' in audience) return `people:${audience.userIds.join(',')}`
  if ('list' in audience) return `list:${audience.list}`
  return `days:${audience.from}..${audience.to}`
}

/** The audience of such a text; undefined for anything else. */
export function audienceOf(text: string | null): Audience | undefined {
  if (text === 'members' || text === 'newsletter') return text
  const [kind, of = ''] = text?.split(':') ?? []
  if (kind === 'class' && /^\d+$/.test(of)) return { classId: Number(of) }
  if (kind === 'people' && of) return { userIds: of.split(',') }
  const list = LISTS.find((name) => kind === 'list' && name === of)
  if (list) return { list }
  const [, from, to] = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/.exec(kind === 'days' ? of : '') ?? []
  return from && to ? { from, to } : undefined
}
