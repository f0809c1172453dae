import { inArray, type SQL, sql } from 'drizzle-orm'
import { memberMatches } from '#accounts/server/accounts.ts'
import { users } from '#accounts/tables.ts'
import { auditLog } from '#audit/tables.ts'
import { instantAt } from '#foundation/instants.ts'
import { healthReads } from '#health/tables.ts'
import { purchases } from '#payments/tables.ts'
import type { Reader } from '#platform/database/database.ts'
import { countFrom } from '#platform/database/paging.ts'
import { RECORDED, type SecurityKind, type SecurityOutcome } from '#security/contract.ts'
import { securityEvents } from '#security/tables.ts'
import type { SecurityLine } from '../contract-security.ts'

export type SecurityQuery = {
  kind?: SecurityKind
  /** Dates in London, inclusive. */
  from?: string
  to?: string
  /** Part of the name or email address of the actor or the subject. */
  search?: string
  limit?: number
  offset?: number
}

/** The lines of the audit log that belong here. */
const CHANGES = {
  exported: ['exported', 'user', 'studio'],
  erased: ['deleted', 'user'],
  settings_changed: ['edited', 'studio'],
  refunded: ['refunded', 'purchase'],
} as const satisfies { [kind in SecurityKind]?: readonly [action: string, ...subjectKinds: string[]] }

type Row = {
  id: string
  at: string
  kind: SecurityKind
  outcome: SecurityOutcome
  actor: string | null
  actorName: string | null
  subject: string | null
  subjectName: string | null
  subjects: number
  network: string | null
  details: SecurityLine['details']
}

/** The three records as one, newest first. */
export async function securityRecord(reader: Reader, query: SecurityQuery) {
  const { limit, offset = 0 } = query
  const { rows } = await reader.execute<Row>(sql`
    select line.record || ':' || line.id as id, line.at::text as at, line.kind, line.outcome,
           line.actor, doer.first_name || ' ' || doer.last_name as "actorName",
           line.subject, owner.first_name || ' ' || owner.last_name as "subjectName",
           line.subjects::int as subjects, line.network, line.details
      from (select * from (${lines(query, limit === undefined ? undefined : limit + offset)}) as fitting
            order by at desc, record, id desc ${limit === undefined ? sql`` : sql`limit ${limit}`} offset ${offset}) as line
      left join ${users} as doer on doer.id = line.actor
      left join ${users} as owner on owner.id = line.subject
     order by line.at desc, line.record, line.id desc`)
  return rows.map(({ at, actor, actorName, subject, subjectName, network, ...row }) => ({
    ...row,
    at: Temporal.Instant.from(at),
    actor: actor === null ? null : { id: actor, name: actorName },
    subject: subject === null ? null : { id: subject, name: subjectName },
    from: network,
  }))
}

export async function countSecurityRecord(reader: Reader, query: SecurityQuery) {
  return await countFrom(reader, sql`(select from (${lines(query)}) as fitting)`, query.offset)
}

/** The matching lines; `most` limits each record to its newest lines. */
function lines(query: SecurityQuery, most?: number): SQL {
  const newest = most === undefined ? sql`` : sql`order by at desc, id desc limit ${most}`
  const records = [events(query), changes(query), reads(query)].filter((record) => record !== undefined)
  return sql.join(
    records.map((record) => sql`(${record} ${newest})`),
    sql` union all `,
  )
}

function events(query: SecurityQuery): SQL | undefined {
  if (query.kind && !(query.kind in RECORDED)) return undefined
  const { id, at, kind, outcome, actorId, subjectId, address, details } = securityEvents
  return sql`
    select 'event' as record, ${id} as id, ${at} as at, ${kind} as kind, ${outcome} as outcome, ${actorId} as actor,
           ${subjectId} as subject, 1 as subjects, ${address} as network, ${details} as details
      from ${securityEvents}
     where ${within(at, query)} ${query.kind ? sql`and ${kind} = ${query.kind}` : sql``}
       ${concerns(query, actorId, subjectId)}`
}

function changes(query: SecurityQuery): SQL | undefined {
  const wanted = Object.entries(CHANGES).filter(([kind]) => !query.kind || kind === query.kind)
  if (wanted.length === 0) return undefined
  const { id, at, adminId, action, subjectKind, subjectId, address, changes: fields } = auditLog
  const isKind = ([does, ...subjects]: (typeof CHANGES)[keyof typeof CHANGES]) =>
    sql`${action} = ${does} and ${inArray(subjectKind, subjects)}`
  const isOne = wanted.map(([, change]) => sql`(${isKind(change)})`)
  const called = wanted.map(([kind, change]) => sql`when ${isKind(change)} then ${kind}`)
  const whose = sql`case ${subjectKind} when 'user' then ${subjectId}
    when 'purchase' then (select ${purchases.userId} from ${purchases} where ${purchases.id}::text = ${subjectId}) end`
  return sql`
    select 'change' as record, ${id} as id, ${at} as at, case ${sql.join(called, sql` `)} end as kind, 'done' as outcome,
           ${adminId} as actor, ${whose} as subject, 1 as subjects, ${address} as network,
           case ${subjectKind}
             when 'studio' then jsonb_strip_nulls(
               jsonb_build_object('fields', (select jsonb_agg(name) from jsonb_object_keys(${fields}) as name)))
             when 'purchase' then jsonb_build_object('amount', ${fields} -> 'refunded' -> 'after')
             else '{}' end as details
      from ${auditLog}
     where ${within(at, query)} and (${sql.join(isOne, sql` or `)}) ${concerns(query, adminId, whose)}`
}

/** Reading a list is one line, however many members are in it. */
function reads(query: SecurityQuery): SQL | undefined {
  if (query.kind && query.kind !== 'health_read') return undefined
  const { id, at, adminId, memberId, what, address } = healthReads
  return sql`
    select 'read' as record, max(${id}) as id, ${at} as at, 'health_read' as kind, 'done' as outcome, ${adminId} as actor,
           case count(*) when 1 then min(${memberId}) end as subject, count(*) as subjects, ${address} as network,
           jsonb_build_object('what', ${what}) as details
      from ${healthReads}
     where ${within(at, query)} ${concerns(query, adminId, memberId)}
     group by ${at}, ${adminId}, ${what}, ${address}`
}

function within(
  at: typeof securityEvents.at | typeof auditLog.at | typeof healthReads.at,
  { from, to }: SecurityQuery,
): SQL {
  const dayAfter = to && Temporal.PlainDate.from(to).add({ days: 1 }).toString()
  return sql`true
    ${from ? sql`and ${at} >= ${instantAt(from, '00:00').toString()}::timestamptz` : sql``}
    ${dayAfter ? sql`and ${at} < ${instantAt(dayAfter, '00:00').toString()}::timestamptz` : sql``}`
}

function concerns({ search }: SecurityQuery, actor: unknown, subject: unknown): SQL {
  const words = search?.trim()
  if (!words) return sql``
  const found = sql`(select ${users.id} from ${users} where ${memberMatches(words)})`
  return sql`and (${actor} in ${found} or ${subject} in ${found})`
}
