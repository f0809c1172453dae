import { all, pathOf } from '#app/every-endpoint/endpoints-under-test.ts'
import { samples } from '#app/every-endpoint/samples-under-test.ts'
import type { Endpoint } from '#foundation/endpoint.ts'
import { Person } from '#testing/person.ts'
import { launchStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'

/** A client without cookies that may send any header, `host` included. */
export const stranger = (studio: StudioUnderTest, name = 'Mallory') => new Person(studio.server.origin, name)

/** Every endpoint under each of its paths. */
export const everyCall = all.flatMap(([name, endpoint]) =>
  [endpoint.path, ...(endpoint.alias ?? [])].map(
    (path) => [`${name} at ${path}`, name, { ...endpoint, path }] as const,
  ),
)

/** Calls an endpoint with a valid body. */
export const callWith = (
  who: Person,
  name: string,
  endpoint: Endpoint,
  id?: string,
  headers?: Record<string, string>,
) =>
  who.request(
    endpoint.method,
    pathOf(endpoint, id),
    endpoint.method === 'GET' ? undefined : (samples[name] ?? {}),
    headers,
  )

/**
 * A studio with a visitor, a member, an ended session, a demoted admin, a blocked member and an erased member.
 */
export async function rogues() {
  const { studio, close } = await launchStudio({})
  const dora = await studio.admin('Dora')
  const [ana, gone, demoted, blocked, erased] = [
    await studio.member('Ana', { health: true, credits: 5 }),
    await studio.member('Gustav'),
    await studio.admin('Emil'),
    await studio.member('Boris', { credits: 5 }),
    await studio.member('Erika'),
  ]
  const must = async (what: string, response: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await response
    if (status >= 300) throw new Error(`${what}: ${status} ${JSON.stringify(body)}`)
  }
  const ended = stranger(studio, 'Gustav')
  ended.copyCookiesOf(gone)
  await gone.request('GET', '/api/logout')
  await must('demoting', dora.request('PUT', `/api/admin/users/${demoted.id}`, { isAdmin: false }))
  await must('blocking', dora.request('PUT', `/api/admin/users/${blocked.id}/block`, { reason: 'Five times no show' }))
  await must('erasing', dora.request('DELETE', `/api/admin/users/${erased.id}`))
  return { studio, close, dora, ana, ended, demoted, blocked, erased, nobody: stranger(studio) }
}

/** Other ways to write a path, none of which may reach its endpoint. */
export const otherSpellingsOf = (path: string): string[] => [
  path.toUpperCase(),
  `${path}/`,
  path.replace('/api', '/api/.'),
  path.replace('/api/', '/api//'),
  `${path}%20`,
  `${path};.css`,
  `${path}.json`,
]
