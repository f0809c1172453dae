import { accountRefusals } from '#accounts/contract.ts'
import { findUser, recipient, type SessionCookies, type Throttles, toUser } from '#accounts/server/accounts.ts'
import type { Clock } from '#foundation/instants.ts'
import { refuse } from '#foundation/refusal.ts'
import * as imports from '#imports/contract.ts'
import { queueMail } from '#messages/server/messages.ts'
import type { Database, Reader } from '#platform/database/database.ts'
import { serveOnce } from '#platform/http/idempotency.ts'
import { type Http, sendPage, serve, serveFile } from '#platform/http/serve.ts'
import type { Vault } from '#platform/vault/vault.ts'
import { recordSecurity } from '#security/server/security.ts'
import * as contract from '../contract.ts'
import * as complaints from '../contract-complaints.ts'
import * as own from '../contract-own.ts'
import { closeComplaint, complaintOf, openComplaint } from './complaints.ts'
import { consentsOf, withdrawHealthConsent } from './consents.ts'
import {
  answerDataComplaint,
  dataComplaintsFor,
  dataComplaintsOf,
  makeDataComplaint,
  makeOutsideComplaint,
  outsideComplaints,
  recordMemberComplaint,
  recordOutsideComplaint,
} from './data-complaints.ts'
import { deleteUser, deletionFacts, eraseMember } from './delete-user.ts'
import { keptUntil } from './due-members.ts'
import { exportMember, recordDownload } from './export-member.ts'
import { membersFile, recordMembersDownload } from './members-file.ts'
import { countRetentionRuns, retentionRunsOf } from './retention-hold.ts'
import { takeBackImport } from './take-back-import.ts'
import { whatWeKeepPaper } from './what-we-keep-paper.ts'

export function privacyRoutes(
  http: Http,
  deps: {
    database: Database
    exports: Reader
    clock: Clock
    vault: Vault
    cookies: SessionCookies
    throttle: Pick<Throttles, 'countMail' | 'mayMail'>
  },
): void {
  const { database, exports, clock, vault, cookies } = deps
  ownDataRoutes(http, deps)
  complaintRoutes(http, deps)

  serve(http, contract.getDeletionFacts, ({ params }) => deletionFacts(database.db, params.id, clock.now()))
  serve(http, contract.deleteUser, async ({ user, params, query }) => {
    if (params.id === user.id) refuse(accountRefusals.cannot_delete_self)
    await database.transaction((tx) => deleteUser(tx, user, { id: params.id, seen: query }, clock.now()))
    return { message: 'User deleted successfully' }
  })

  serve(http, imports.takeBackImport, async ({ user, params }) =>
    database.transaction((tx) => takeBackImport(tx, user, params.id, clock.now())),
  )

  serve(http, contract.listRetentionRuns, async ({ query, reply }) => {
    const count = () => countRetentionRuns(database.db, query)
    return await sendPage(reply, query, count, retentionRunsOf(database.db, query))
  })

  serveFile(http, contract.downloadWhatWeKeep, () => whatWeKeepPaper(database.db, clock.now()))

  serve(http, contract.getComplaint, ({ params }) => complaintOf(database.db, params.id))

  serve(http, contract.openComplaint, ({ user, params, body }) =>
    database.transaction((tx) => openComplaint(tx, user, { userId: params.id, reason: body.reason }, clock.now())),
  )

  serve(http, contract.closeComplaint, async ({ user, params }) => {
    await database.transaction((tx) => closeComplaint(tx, user, params.id, clock.now()))
    return { message: 'Complaint closed' }
  })

  serve(http, contract.deleteOwnAccount, async ({ user, request, reply }) => {
    await database.transaction(async (tx) => {
      await eraseMember(tx, user.id, clock.now())
      await recordSecurity(tx, { kind: 'erased', actor: user.id, details: { cause: 'own_wish' } }, clock.now())
    })
    cookies.clear(request, reply)
    return { message: 'Your account has been deleted.' }
  })

  serve(http, contract.exportMemberData, async ({ user, params, reply }) => {
    await database.transaction((tx) => recordDownload(tx, user, params.id, clock.now()))
    const member = (await findUser(exports, params.id)) ?? refuse(accountRefusals.user_not_found)
    reply.header('content-disposition', `attachment; filename="member-${params.id}.json"`)
    return await exportMember(exports, vault, toUser(member), clock.now())
  })

  serveFile(http, contract.exportMembers, async ({ user }) => {
    await database.transaction((tx) => recordMembersDownload(tx, user, clock.now()))
    return await membersFile(exports, clock.now())
  })

  serve(http, contract.exportOwnData, async ({ user, reply }) => {
    const event = { kind: 'exported', actor: user.id, details: { cause: 'own_wish' } } as const
    await database.transaction(async (tx) => {
      await recordSecurity(tx, event, clock.now())
      await queueMail(tx, 'rights-request-done', { to: recipient(user), did: 'downloaded' })
    })
    reply.header('content-disposition', 'attachment; filename="my-data.json"')
    return await exportMember(exports, vault, user, clock.now())
  })
}

function ownDataRoutes(http: Http, deps: { database: Database; clock: Clock }): void {
  const { database, clock } = deps
  const { db, transaction } = database

  serve(http, own.getKeptUntil, ({ user }) => keptUntil(db, user.id, clock.now()))
  serve(http, own.getConsents, ({ user }) => consentsOf(db, user))
  serve(http, own.withdrawHealthConsent, async ({ user }) => {
    await transaction((tx) => withdrawHealthConsent(tx, user.id, clock.now()))
    return { message: 'Your health information has been erased.' }
  })
}

const COMPLAINT_CONFIRMED = 'We have your complaint and have emailed you a confirmation.'
const COMPLAINT_NOT_CONFIRMED =
  'We have your complaint. We have just sent several confirmations to this address, so we won’t email another one.'

function complaintRoutes(
  http: Http,
  deps: { database: Database; clock: Clock; throttle: Pick<Throttles, 'countMail' | 'mayMail'> },
): void {
  const { database, clock, throttle } = deps
  const { db, transaction } = database

  serveOnce(http, complaints.makeDataComplaint, deps, (tx, { user, body }) =>
    makeDataComplaint(tx, user, body.complaint, clock.now()),
  )
  serve(http, complaints.listOwnDataComplaints, ({ user }) => dataComplaintsOf(db, user.id))
  serve(http, complaints.listDataComplaints, ({ params }) => dataComplaintsFor(db, params.id))
  serve(http, complaints.answerDataComplaint, ({ user, params, body }) =>
    transaction((tx) => answerDataComplaint(tx, user, { id: params.id, answer: body.answer }, clock.now())),
  )

  serve(http, complaints.makeOutsideComplaint, async ({ body, request }) => {
    await throttle.countMail(request.ip)
    const isConfirmed = await throttle.mayMail('complaint', body.email)
    await transaction((tx) => makeOutsideComplaint(tx, body, isConfirmed, clock.now()))
    return { message: isConfirmed ? COMPLAINT_CONFIRMED : COMPLAINT_NOT_CONFIRMED }
  })
  serve(http, complaints.listOutsideComplaints, () => outsideComplaints(db))
  serveOnce(http, complaints.recordOutsideComplaint, deps, (tx, { user, body }) =>
    recordOutsideComplaint(tx, user, body, clock.now()),
  )
  serveOnce(http, complaints.recordMemberComplaint, deps, (tx, { user, params, body }) =>
    recordMemberComplaint(tx, user, { ...body, userId: params.id }, clock.now()),
  )
}
