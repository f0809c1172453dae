import { useQuery } from '@tanstack/react-query'
import { apiClient } from '#foundation/api-client.ts'
import { formatDay } from '#foundation/dates.ts'
import type * as contract from '../contract.ts'
import type { Audience, DraftInput } from '../contract.ts'
import { type Kind, LISTS } from '../rules.ts'

export const mailingsApi = apiClient<typeof contract>('mailings', {
  getPrompts: 'GET /api/admin/prompts',
  listPrompted: 'GET /api/admin/prompts/people',
  listWeek: 'GET /api/admin/prompts/week',
  getMessage: 'GET /api/admin/messages/:id',
  listMessages: 'GET /api/admin/messages',
  previewMessage: 'POST /api/admin/messages/preview',
  sendMessage: 'POST /api/admin/messages',
  testMessage: 'POST /api/admin/messages/test',
})

export const usePreview = (draft: DraftInput | undefined) =>
  useQuery({
    ...mailingsApi.previewMessage.queryOptions({ body: draft ?? { audience: 'members' } }),
    enabled: draft !== undefined,
    ...FRESH,
  })

/** How often a message that is being sent is polled, and for how long. */
const POLL_MS = 2000
const POLL_FOR_MS = 3 * 60_000

/** Sent messages, newest first. A message that is still being sent is polled. */
export const useMessages = (query: { limit: number; offset: number }) =>
  useQuery({
    ...mailingsApi.listMessages.pageOptions({ query }),
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data?.rows.some(({ queued }) => queued > 0) && dataUpdateCount * POLL_MS < POLL_FOR_MS ? POLL_MS : false,
    ...FRESH,
  })

export const useMessage = (id: number) =>
  useQuery({ ...mailingsApi.getMessage.queryOptions({ params: { id } }), ...FRESH })

/** The URL for a new message to an audience. */
export const writeTo = (audience: Audience, kind: Kind = 'service') =>
  `/admin?${new URLSearchParams({ view: 'messages', to: textOf(audience), ...(kind === 'marketing' && { kind }) })}`

/** The URL for a message that asks an audience for a review. */
export const askForReviewOf = (audience: Audience) => `${writeTo(audience, 'marketing')}&start=${REVIEW}`
export const REVIEW = 'review'

/** In URLs: `class:12`, `days:2026-12-08..2026-12-09`, `people:a,b`, `list:expiring`, `members` or `newsletter`. */
export function textOf(audience: Audience): string {
  if (typeof audience === 'string') return audience
  if ('classId' in audience) return `class:${audience.classId}`
  if ('userIds' in audience) return `people:${audience.userIds.join(',')}`
  if ('list' in audience) return `list:${audience.list}`
  return `days:${audience.from}..${audience.to}`
}

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

/** Members book and buy all day, so these are always refetched. */
export const FRESH = { gcTime: 0, staleTime: 0 }

export type Starter = { name: string; kind: 'service' | 'marketing'; subject: string; text: string }
type FreePlace = { title: string; date: string; startTime: string; availableSpots: number }

export const GREETING = 'Hello {firstName},\n\n'

export const RUNNING_LATE: Starter = {
  name: 'Running late',
  kind: 'service',
  subject: 'I am running a few minutes late',
  text: `${GREETING}I am running about ten minutes late for {classTitle}, {classTime}. Please go in and make yourself comfortable: we will start as soon as I am there.\n\nI am sorry to keep you waiting.`,
}

/**
 * A request for a public review: the same for everyone and without an incentive, as the law on fake reviews asks. It is
 * marketing (PECR), so it goes only to members who agreed to news.
 */
export function askForReview({ name, reviewUrl }: { name: string; reviewUrl: string }): Starter {
  return {
    name: ASK_FOR_REVIEW,
    kind: 'marketing',
    subject: `How do you find ${name}?`,
    text: `${GREETING}Thank you for coming to ${name}. Would you write a short review? It helps other people to find us, and it helps me to know what you think, good or bad:\n\n${reviewUrl}\n\nThank you.`,
  }
}
export const ASK_FOR_REVIEW = 'Ask for a review'

/**
 * An invitation to the free places of a day.
 *
 * @param site the website's origin, without a trailing slash
 */
export function freePlaces(day: string, free: readonly FreePlace[], site: string): Starter {
  const lines = free.map(({ startTime, title, availableSpots }) => {
    return `${startTime}: ${title} (${availableSpots === 1 ? 'one place' : `${availableSpots} places`})`
  })
  return {
    name: 'Free place tomorrow',
    kind: 'marketing',
    subject: `A free place on ${formatDay(day)}`,
    text: `${GREETING}There is still room on ${formatDay(day)}:\n\n${lines.join('\n') || '…'}\n\nThe first to book gets the place: ${site}/booking?date=${day}`,
  }
}
